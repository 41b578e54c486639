/** One contact: who it is, what is known, and the conversations with them. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isGone, sentence } from '../../errors.js';
import { learnContact } from '../../model/known-conversation.js';
import { $now } from '../../state/clock.js';
import type { Desk } from '../../state/desk.js';
import type { Contact } from '../../wire/schemas.js';
import { Avatar, Icon } from '../icons.js';
import { Confirm } from '../kit/dialog.js';
import { Switch, TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { Card, Empty, PageFrame, Problem } from '../kit/page.js';
import { useAnswer } from '../kit/use-answer.js';
import { ago, fullTime } from '../times.js';
import { useShelf } from '../use-shelf.js';
import { useStore } from '../use-store.js';
import { AttributeEditor } from './attribute-editor.js';

const gone = 'This contact is not there any more: it has become one with another, or was deleted.';
const back = { href: '#/contacts', label: 'Contacts' };

export function ContactCard({ desk, id }: { desk: Desk; id: number }) {
  const found = useAnswer(String(id), () => desk.api.contacts.show(id));
  useEffect(
    () =>
      desk.$heardContact.listen((heard) => {
        if (heard?.id !== id) return;
        if (found.value) found.put(learnContact(found.value, heard));
        // What is on its way was perhaps read before.
        else void found.reload();
      }),
    [desk, id, found.value, found.reload],
  );
  useEffect(() => desk.$merged.listen(() => void found.reload()), [desk, found.reload]);
  const problem = found.problem && (
    <Problem text={found.isGone ? gone : found.problem} onRetry={found.reload} />
  );
  if (!found.value) {
    return (
      <PageFrame title="Contact" back={back}>
        {problem}
      </PageFrame>
    );
  }
  return <Loaded desk={desk} contact={found.value} onChanged={found.put} problem={problem} />;
}

interface Props {
  desk: Desk;
  contact: Contact;
  onChanged(contact: Contact): void;
}

function Loaded({ desk, contact, onChanged, problem }: Props & { problem: ComponentChildren }) {
  const definitions = useShelf(desk.shelves.contactAttributes) ?? [];
  const name = contact.name || contact.email || contact.phone_number || `Contact ${contact.id}`;
  const picker = useRef<HTMLInputElement>(null);

  async function setAvatar(picture: File | undefined) {
    if (!picture) return;
    const answer = await desk.api.contacts.setAvatar(contact.id, picture);
    if (!answer.ok) {
      desk.notices.problem('contact', sentence('The picture was not kept', answer.error));
    } else if (answer.value) {
      desk.notices.hush('contact');
      desk.notices.done('Picture changed.');
      onChanged(answer.value);
    }
  }

  async function setAttribute(key: string, value: unknown): Promise<boolean> {
    const answer =
      value === undefined
        ? await desk.api.contacts.removeAttributes(contact.id, [key])
        : await desk.api.contacts.change(contact.id, { custom_attributes: { [key]: value } });
    if (!answer.ok) {
      desk.notices.problem('contact', sentence('The attribute was not changed', answer.error));
      return false;
    }
    desk.notices.hush('contact');
    desk.notices.done('Attribute changed.');
    if (answer.value) onChanged(answer.value);
    return true;
  }

  return (
    <PageFrame title={name} back={back}>
      {problem}
      <div class="contact-columns">
        <div>
          <Card>
            <div class="contact-head">
              <Avatar name={name} seed={contact.id} picture={contact.thumbnail} />
              <div>
                <input
                  ref={picker}
                  type="file"
                  hidden
                  accept="image/png,image/jpeg,image/gif,image/webp"
                  aria-label="Picture"
                  onChange={({ currentTarget }) => {
                    void setAvatar(currentTarget.files?.[0]);
                    currentTarget.value = '';
                  }}
                />
                <button type="button" class="secondary" onClick={() => picker.current?.click()}>
                  Change picture
                </button>
                <p class="hint">
                  Since {fullTime(contact.created_at * 1000)}
                  {place(contact)}
                </p>
              </div>
            </div>
            <EditForm key={contact.id} desk={desk} contact={contact} onChanged={onChanged} />
          </Card>
          {desk.isAdministrator && <Erase desk={desk} contact={contact} name={name} />}
        </div>
        <div>
          <Card title="Attributes">
            <AttributeEditor
              definitions={definitions}
              values={contact.custom_attributes}
              onSet={setAttribute}
            />
          </Card>
          <Conversations desk={desk} contact={contact} />
        </div>
      </div>
    </PageFrame>
  );
}

function Erase({ desk, contact, name }: Pick<Props, 'desk' | 'contact'> & { name: string }) {
  const [asking, setAsking] = useState(false);

  async function erase() {
    setAsking(false);
    desk.notices.hush('contact');
    const answer = await desk.api.contacts.erase(contact.id);
    if (!answer.ok && !isGone(answer.error))
      return desk.notices.problem('contact', sentence('The contact was not deleted', answer.error));
    desk.notices.done('Contact deleted.');
    location.hash = back.href;
  }

  return (
    <Card title="Delete" lead="For who wants nothing of theirs to be kept.">
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Delete contact
      </button>
      {asking && (
        <Confirm
          title={`Delete ${name}?`}
          words="All conversations with this contact, their messages and files are deleted for good."
          button="Delete for good"
          onClose={() => setAsking(false)}
          onYes={() => void erase()}
        />
      )}
    </Card>
  );
}

function place({ additional_attributes: about }: Contact): string {
  const known = [about.city, about.country].filter((word) => typeof word === 'string' && word !== '');
  return known.length ? ` · ${known.join(', ')}` : '';
}

const fieldsOf = (contact: Contact) => ({
  name: contact.name ?? '',
  email: contact.email ?? '',
  phone_number: contact.phone_number ?? '',
  identifier: contact.identifier ?? '',
  blocked: contact.blocked,
});

function EditForm({ desk, contact, onChanged }: Props) {
  const form = useEdit(
    fieldsOf(contact),
    'The contact was not changed',
    async (changed) => {
      const answer = await desk.api.contacts.change(contact.id, changed);
      if (answer.ok && answer.value) onChanged(answer.value);
      return answer;
    },
    () => desk.notices.done('Contact saved.'),
  );
  return (
    <FormBody form={form} button="Save contact">
      <TextField label="Name" {...form.bind('name')} />
      <TextField label="E-mail" type="email" {...form.bind('email')} />
      <TextField label="Phone" type="tel" placeholder="+12025550123" {...form.bind('phone_number')} />
      <TextField
        label="Identifier"
        hint="What another system of yours calls this person."
        {...form.bind('identifier')}
      />
      <Switch label="Blocked" hint="Gets no automatic answers and no surveys." {...form.bind('blocked')} />
    </FormBody>
  );
}

function Conversations({ desk, contact }: { desk: Desk; contact: Contact }) {
  const now = useStore($now);
  const found = useAnswer(String(contact.id), () => desk.api.contacts.conversations(contact.id));
  return (
    <Card title="Conversations">
      {found.problem && <Problem text={found.problem} onRetry={found.reload} />}
      {found.value?.length === 0 && <Empty title="None yet" />}
      <ul class="link-rows">
        {found.value?.map((one) => (
          <li key={one.id}>
            <a href={`#/${one.id}`}>
              <Icon name="bubbles" />
              <span class="grow" dir="auto">
                {one.last_non_activity_message?.content || `Conversation ${one.id}`}
              </span>
              <span class={`badge ${one.status}`}>{one.status}</span>
              <time>{ago(one.last_activity_at * 1000, now)}</time>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
