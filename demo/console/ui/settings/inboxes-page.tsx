/** The inboxes, or the settings of one of them. */
import { useState } from 'preact/hooks';
import type { Desk } from '../../state/desk.js';
import { idIn } from '../../state/place.js';
import { Icon } from '../icons.js';
import { Dialog } from '../kit/dialog.js';
import { TextField } from '../kit/fields.js';
import { FormBody, useForm } from '../kit/form.js';
import { Empty, PageFrame, Problem } from '../kit/page.js';
import { useShelf } from '../use-shelf.js';
import { useStore } from '../use-store.js';
import { InboxSettings } from './inbox-settings.js';

export function InboxesPage({ desk, path }: { desk: Desk; path: readonly string[] }) {
  const inboxes = useShelf(desk.shelves.inboxes);
  const problem = useStore(desk.shelves.inboxes.$problem);
  const [making, setMaking] = useState(false);
  const id = idIn(path[0]);
  const chosen = inboxes?.find((inbox) => inbox.id === id);
  if (id !== undefined) {
    return (
      <PageFrame title={chosen?.name ?? 'Inbox'} back={{ href: '#/settings/inboxes', label: 'Inboxes' }}>
        {problem && <Problem text={problem} onRetry={desk.shelves.inboxes.load} />}
        {chosen && <InboxSettings key={chosen.id} desk={desk} inbox={chosen} />}
        {inboxes && !chosen && <Empty title="This inbox is not there" />}
      </PageFrame>
    );
  }
  return (
    <PageFrame
      title="Inboxes"
      lead="Where conversations come in. Each has its own hours, words and people."
      actions={
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          <Icon name="plus" /> New inbox
        </button>
      }
    >
      {problem && <Problem text={problem} onRetry={desk.shelves.inboxes.load} />}
      <ul class="link-rows">
        {inboxes?.map((inbox) => (
          <li key={inbox.id}>
            <a href={`#/settings/inboxes/${inbox.id}`}>
              <Icon name="inbox" />
              <span class="grow">
                <bdi class="row-title">{inbox.name}</bdi>
                <small>
                  <code>{inbox.inbox_identifier}</code>
                </small>
              </span>
              <Icon name="forward" />
            </a>
          </li>
        ))}
      </ul>
      {making && <NewInbox desk={desk} onClose={() => setMaking(false)} />}
    </PageFrame>
  );
}

function NewInbox({ desk, onClose }: { desk: Desk; onClose(): void }) {
  const form = useForm(
    { name: '' },
    'The inbox was not made',
    ({ name }) => desk.shelves.inboxes.create({ name, channel: { type: 'api' } }),
    (inbox) => {
      onClose();
      desk.place.goTo(`#/settings/inboxes/${inbox.id}`);
    },
  );
  return (
    <Dialog title="New inbox" onClose={onClose}>
      <FormBody form={form} button="Create inbox" onCancel={onClose}>
        <TextField label="Name" hint="Visitors may see it." {...form.bind('name')} />
      </FormBody>
    </Dialog>
  );
}
