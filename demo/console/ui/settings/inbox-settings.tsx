/** Everything an administrator tells an inbox: words, hours, conversations, identity, people, and its tag. */
import { peopleBetween } from '../../model/people.js';
import type { Desk } from '../../state/desk.js';
import type { Inbox } from '../../wire/admin.js';
import { Checks, Select, Switch, TextArea, TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { Card, Problem } from '../kit/page.js';
import { useAnswer } from '../kit/use-answer.js';
import { ShelfProblem } from '../shelf-problem.js';
import { useShelf } from '../use-shelf.js';
import { HoursEditor } from './hours-editor.js';

const zones = Intl.supportedValuesOf('timeZone');

export function InboxSettings({ desk, inbox }: { desk: Desk; inbox: Inbox }) {
  return (
    <>
      <Settings desk={desk} inbox={inbox} />
      <Members desk={desk} inbox={inbox} />
      <Tag inbox={inbox} />
    </>
  );
}

function Settings({ desk, inbox }: { desk: Desk; inbox: Inbox }) {
  const form = useEdit(
    {
      name: inbox.name,
      greeting_enabled: inbox.greeting_enabled,
      greeting_message: inbox.greeting_message,
      working_hours_enabled: inbox.working_hours_enabled,
      working_hours: inbox.working_hours,
      out_of_office_message: inbox.out_of_office_message,
      timezone: inbox.timezone,
      csat_survey_enabled: inbox.csat_survey_enabled,
      lock_to_single_conversation: inbox.lock_to_single_conversation,
      hmac_mandatory: inbox.hmac_mandatory,
    },
    'The inbox was not saved',
    (changed) => desk.shelves.inboxes.change(inbox.id, changed),
    () => desk.notices.done('Inbox saved.'),
  );
  const known = zones.includes(form.values.timezone) ? zones : [form.values.timezone, ...zones];
  return (
    <FormBody form={form} button="Save inbox">
      <Card title="General">
        <TextField label="Name" {...form.bind('name')} />
        <Switch
          label="Greet visitors"
          hint="Said once, after a visitor’s first message."
          {...form.bind('greeting_enabled')}
        />
        {form.values.greeting_enabled && <TextArea label="Greeting" {...form.bind('greeting_message')} />}
      </Card>
      <Card title="Working hours" lead="The window tells visitors when somebody is back.">
        <Switch label="Keep working hours" {...form.bind('working_hours_enabled')} />
        {form.values.working_hours_enabled && (
          <>
            <Select
              label="Time zone"
              choices={known.map((zone) => [zone, zone.replaceAll('_', ' ')] as const)}
              {...form.bind('timezone')}
            />
            <HoursEditor
              days={form.values.working_hours}
              onChange={(working_hours) => form.set({ working_hours })}
            />
            <TextArea
              label="What is said while you are closed"
              hint="Once a day, after a visitor’s message. Blank says nothing."
              {...form.bind('out_of_office_message')}
            />
          </>
        )}
      </Card>
      <Card title="Conversations">
        <Switch
          label="Ask for a rating"
          hint="After a conversation is resolved, once."
          {...form.bind('csat_survey_enabled')}
        />
        <Switch
          label="One conversation for each visitor"
          hint="A new message goes on with the last conversation, resolved or not."
          {...form.bind('lock_to_single_conversation')}
        />
      </Card>
      <Card title="Identity">
        <Switch
          label="Only proven identities"
          hint="Nobody new can write before your page has proved who they are, with a hash that your server makes with the key below."
          {...form.bind('hmac_mandatory')}
        />
        {inbox.hmac_token && (
          <details class="reveal">
            <summary>Show the key</summary>
            <code>{inbox.hmac_token}</code>
          </details>
        )}
      </Card>
    </FormBody>
  );
}

function Members({ desk, inbox }: { desk: Desk; inbox: Inbox }) {
  const members = useAnswer(String(inbox.id), () => desk.api.inboxMembers(inbox.id));
  if (members.problem) return <Problem text={members.problem} onRetry={members.reload} />;
  if (!members.value) return null;
  const ids = members.value.map(({ id }) => String(id));
  return <MembersForm desk={desk} inbox={inbox} members={ids} onSaved={members.reload} />;
}

interface MembersProps {
  desk: Desk;
  inbox: Inbox;
  members: string[];
  onSaved(): void;
}

function MembersForm({ desk, inbox, members, onSaved }: MembersProps) {
  const agents = useShelf(desk.shelves.agents) ?? [];
  const form = useEdit(
    { members },
    'The people were not saved',
    (_, values) => desk.api.changeInboxMembers(inbox.id, peopleBetween(members, values.members)),
    () => {
      desk.notices.done('People saved.');
      onSaved();
    },
  );
  return (
    <Card title="People">
      <FormBody form={form} button="Save people">
        <ShelfProblem shelves={[desk.shelves.agents]} />
        <Checks
          legend="Who works here"
          choices={agents.map((agent) => [String(agent.id), agent.name] as const)}
          value={form.values.members}
          onChange={(next) => form.set({ members: [...next] })}
        />
      </FormBody>
    </Card>
  );
}

function Tag({ inbox }: { inbox: Inbox }) {
  const tag = `<script async src="${location.origin}/parley.js"
        data-base-url="${location.origin}" data-inbox-identifier="${inbox.inbox_identifier}"></script>`;
  return (
    <Card title="On your site" lead="Put this tag into your pages.">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <pre class="code-block" tabIndex={0}>
        {tag}
      </pre>
    </Card>
  );
}
