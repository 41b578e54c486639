/** The third column: who has the conversation, its labels, what is known about the visitor and about it. */
import { type Known, nameOf } from '../model/known-conversation.js';
import type { Desk } from '../state/desk.js';
import { AttributeEditor, nameOfAttribute, show } from './contacts/attribute-editor.js';
import { Avatar, Icon } from './icons.js';
import { Select } from './kit/fields.js';
import { useHeir } from './kit/use-heir.js';
import { ShelfProblem } from './shelf-problem.js';
import { fullTime } from './times.js';
import { useShelf } from './use-shelf.js';
import { useStore } from './use-store.js';

/** With a key of its own where two of them may have the same name. */
type Line = readonly [name: string, value: string, key?: string];

const priorities = [
  ['', 'None'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['urgent', 'Urgent'],
] as const;

export function Details({ desk, open }: { desk: Desk; open: Known }) {
  const present = useStore(desk.$present).has(open.meta.sender?.id ?? 0);
  const contactAttributes = useShelf(desk.shelves.contactAttributes) ?? [];
  const conversationAttributes = useShelf(desk.shelves.conversationAttributes);
  const contact = open.meta.sender;
  const name = nameOf(open);
  const claim = contact?.additional_attributes?.claimed_identifier;
  const firstSeen = contact?.created_at || open.created_at;

  return (
    <>
      <header class="details-head">
        <button type="button" class="quiet back" onClick={() => desk.place.go({ conversationId: open.id })}>
          <Icon name="back" />
          <span>
            Back<span class="hidden"> to messages</span>
          </span>
        </button>
        <h2 id="details-title" tabIndex={-1}>
          Visitor
        </h2>
      </header>
      <div class="person">
        <Avatar name={name} seed={contact?.id ?? 0} picture={contact?.thumbnail} online={present} />
        <p class="name">
          <bdi>{name}</bdi>
        </p>
        <p class="presence">
          {present ? 'Online' : 'Not online'}
          {contact?.blocked && ' · Blocked'}
        </p>
        {contact && (
          <a class="to-contact" href={`#/contacts/${contact.id}`}>
            Open the contact
          </a>
        )}
      </div>
      <Lines
        lines={[
          // What nobody knows yet takes no room; it is asked for where the contact is changed.
          ...(
            [
              ['E-mail', contact?.email ?? ''],
              ['Phone', contact?.phone_number ?? ''],
              ['Identifier', contact?.identifier ?? ''],
            ] as const
          ).filter(([, value]) => value),
          ...(typeof claim === 'string' ? [['Says to be', `${claim}, without a proof`] as const] : []),
          ['First seen', firstSeen ? fullTime(firstSeen * 1000) : '–'],
          ...Object.entries(contact?.custom_attributes ?? {}).map(
            ([key, value]): Line => [nameOfAttribute(key, contactAttributes), show(value), `own ${key}`],
          ),
        ]}
      />
      <h3>Conversation</h3>
      <ShelfProblem
        shelves={[
          desk.shelves.agents,
          desk.shelves.teams,
          desk.shelves.labels,
          desk.shelves.contactAttributes,
          desk.shelves.conversationAttributes,
        ]}
      />
      <Assignment desk={desk} open={open} />
      <Labels desk={desk} open={open} />
      <Lines
        lines={[
          ['Number', `#${open.id}`],
          ['Started', open.created_at ? fullTime(open.created_at * 1000) : '–'],
          [
            'Seen by the visitor',
            open.contact_last_seen_at ? fullTime(open.contact_last_seen_at * 1000) : '–',
          ],
        ]}
      />
      <h3>Attributes</h3>
      <AttributeEditor
        definitions={conversationAttributes ?? []}
        values={open.custom_attributes}
        onSet={(key, value) =>
          desk.alter('The attribute was not changed', 'Attribute changed.', (id) =>
            value === undefined
              ? desk.api.removeAttributes(id, [key])
              : desk.api.setAttributes(id, { [key]: value }),
          )
        }
      />
    </>
  );
}

function Assignment({ desk, open }: { desk: Desk; open: Known }) {
  const agents = useShelf(desk.shelves.agents) ?? [];
  const teams = useShelf(desk.shelves.teams) ?? [];
  const assignee = open.meta.assignee;
  const team = open.meta.team;
  const agentChoices = agents.map((one) => [String(one.id), one.available_name || one.name] as const);
  const teamChoices = teams.map((one) => [String(one.id), one.name] as const);
  const known = (
    choices: readonly (readonly [string, string])[],
    id?: number | null,
    name?: string | null,
  ) =>
    !id || choices.some(([value]) => value === String(id))
      ? choices
      : [...choices, [String(id), name || `#${id}`] as const];

  return (
    <div class="assignment">
      <Select
        label="Assigned to"
        value={String(assignee?.id ?? '')}
        choices={[
          ['', 'Nobody'],
          ...known(agentChoices, assignee?.id, assignee?.available_name || assignee?.name),
        ]}
        onChange={(value) =>
          desk.alter('The conversation was not assigned', 'Assignment changed.', (id) =>
            desk.api.assign(id, { assignee_id: value ? Number(value) : null }),
          )
        }
      />
      {assignee?.id !== desk.profile.id && (
        <TakeIt
          onClick={() =>
            void desk.alter('The conversation was not assigned', 'The conversation is yours.', (id) =>
              desk.api.assign(id, { assignee_id: desk.profile.id }),
            )
          }
        />
      )}
      <Select
        label="Team"
        value={String(team?.id ?? '')}
        choices={[['', 'None'], ...known(teamChoices, team?.id, team?.name)]}
        onChange={(value) =>
          desk.alter('The team was not changed', 'Team changed.', (id) =>
            desk.api.assign(id, { team_id: value ? Number(value) : null }),
          )
        }
      />
      <Select
        label="Priority"
        value={open.priority ?? ''}
        choices={priorities}
        onChange={(value) =>
          desk.alter('The priority was not changed', 'Priority changed.', (id) =>
            desk.api.setPriority(id, value || null),
          )
        }
      />
    </div>
  );
}

/** Goes once it is done: the field above tells then what it did. */
function TakeIt({ onClick }: { onClick(): void }) {
  const ref = useHeir<HTMLButtonElement>((going) => going.parentElement?.querySelector('select'));
  return (
    <button ref={ref} type="button" class="quiet take" onClick={onClick}>
      Take it
    </button>
  );
}

function Labels({ desk, open }: { desk: Desk; open: Known }) {
  const all = useShelf(desk.shelves.labels) ?? [];
  const free = all.filter(({ title }) => !open.labels.includes(title));
  return (
    <div class="labels">
      <p class="labels-title" id="labels-title">
        Labels
      </p>
      <ul aria-labelledby="labels-title" tabIndex={-1}>
        {open.labels.map((title) => (
          <Label
            key={title}
            title={title}
            color={all.find((label) => label.title === title)?.color}
            onRemove={() => void desk.setLabel(title, false)}
          />
        ))}
        {open.labels.length === 0 && <li class="hint">None</li>}
      </ul>
      {free.length > 0 && (
        <AddLabel
          titles={free.map(({ title }) => title)}
          onAdd={(title) => (title ? desk.setLabel(title, true) : undefined)}
        />
      )}
    </div>
  );
}

/** Goes with the last of them. */
function AddLabel(props: { titles: readonly string[]; onAdd(title: string): Promise<boolean> | undefined }) {
  const ref = useHeir<HTMLDivElement>((going) => going.parentElement?.querySelector('ul'));
  return (
    <div ref={ref}>
      <Select
        label="Add a label"
        value=""
        choices={[['', 'Add a label …'], ...props.titles.map((title) => [title, title] as const)]}
        quietLabel
        onChange={props.onAdd}
      />
    </div>
  );
}

function Label(props: { title: string; color: string | undefined; onRemove(): void }) {
  const ref = useHeir<HTMLLIElement>((going) => going.closest('ul'));
  return (
    <li ref={ref} class="label">
      <LabelDot color={props.color} />
      <bdi>{props.title}</bdi>
      <button type="button" aria-label={`Remove the label ${props.title}`} onClick={props.onRemove}>
        <Icon name="close" />
      </button>
    </li>
  );
}

export function LabelDot({ color = '' }: { color?: string | undefined }) {
  return <span class="label-dot" style={color ? { background: color } : {}} />;
}

function Lines({ lines }: { lines: Line[] }) {
  return (
    <dl class="lines">
      {lines.map(([name, value, key = name]) => (
        <div key={key}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
