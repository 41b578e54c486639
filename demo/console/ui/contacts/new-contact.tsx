/** A dialog that makes a contact. */
import type { Desk } from '../../state/desk.js';
import type { Contact } from '../../wire/schemas.js';
import { Dialog } from '../kit/dialog.js';
import { TextField } from '../kit/fields.js';
import { FormBody, useForm } from '../kit/form.js';

interface Props {
  desk: Desk;
  onClose(): void;
  onMade(contact: Contact): void;
}

/** What is left blank is not said. */
const given = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));

export function NewContact({ desk, onClose, onMade }: Props) {
  const form = useForm(
    { name: '', email: '', phone_number: '', identifier: '' },
    'The contact was not made',
    (values) => desk.api.contacts.create(given(values)),
    (contact) => {
      onClose();
      onMade(contact);
    },
  );
  return (
    <Dialog title="New contact" onClose={onClose}>
      <FormBody form={form} button="Create contact" onCancel={onClose}>
        <TextField label="Name" {...form.bind('name')} />
        <TextField label="E-mail" type="email" {...form.bind('email')} />
        <TextField label="Phone" type="tel" placeholder="+12025550123" {...form.bind('phone_number')} />
        <TextField
          label="Identifier"
          hint="What another system of yours calls this person."
          {...form.bind('identifier')}
        />
      </FormBody>
    </Dialog>
  );
}
