/** Labels that the account offers. */
import type { Desk } from '../../state/desk.js';
import type { Label } from '../../wire/admin.js';
import { LabelDot } from '../details.js';
import { TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { type Ends, ShelfPage } from './shelf-page.js';

export function LabelsPage({ desk }: { desk: Desk; path: readonly string[] }) {
  return (
    <ShelfPage
      title="Labels"
      lead="Words that say what a conversation is about. Rules can add them, and the inbox filters by them."
      noun="label"
      shelf={desk.shelves.labels}
      notices={desk.notices}
      nameOf={(label) => label.title}
      emptyWords="A first one might be “refund” or “bug”."
      goneWords="Conversations that bear it keep the word."
      row={(label) => (
        <>
          <p class="row-title">
            <LabelDot color={label.color} />
            <bdi>{label.title}</bdi>
          </p>
          {label.description && <p class="row-more">{label.description}</p>}
        </>
      )}
      form={(label, ends) => <LabelForm desk={desk} label={label} {...ends} />}
    />
  );
}

interface FormProps extends Ends {
  desk: Desk;
  label: Label | undefined;
}

function LabelForm({ desk, label, onSaved, onCancel }: FormProps) {
  const form = useEdit(
    {
      title: label?.title ?? '',
      description: label?.description ?? '',
      color: label?.color ?? '#1f7a5c',
    },
    'The label was not saved',
    (changed, values) =>
      label ? desk.shelves.labels.change(label.id, changed) : desk.shelves.labels.create(values),
    () => onSaved(),
  );
  return (
    <FormBody form={form} button="Save label" onCancel={onCancel}>
      <TextField label="Word" hint="Letters, digits, “-” and “_”." {...form.bind('title')} />
      <TextField label="Description" {...form.bind('description')} />
      <TextField label="Colour" type="color" {...form.bind('color')} />
    </FormBody>
  );
}
