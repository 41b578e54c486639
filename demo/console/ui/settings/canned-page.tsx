/** Answers that agents give often. */
import type { Desk } from '../../state/desk.js';
import type { Canned } from '../../wire/admin.js';
import { TextArea, TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { type Ends, ShelfPage } from './shelf-page.js';

export function CannedPage({ desk }: { desk: Desk; path: readonly string[] }) {
  return (
    <ShelfPage
      title="Canned answers"
      lead="Words your team says often. Type / in an empty reply to find them."
      noun="canned answer"
      shelf={desk.shelves.canned}
      notices={desk.notices}
      nameOf={(one) => one.short_code}
      emptyWords="How long does shipping take? Write that answer once."
      goneWords="Messages that were sent with it stay as they are."
      row={(one) => (
        <>
          <p class="row-title">
            <code>/{one.short_code}</code>
          </p>
          <p class="row-more clamp" dir="auto">
            {one.content}
          </p>
        </>
      )}
      form={(one, ends) => <CannedForm desk={desk} canned={one} {...ends} />}
    />
  );
}

interface FormProps extends Ends {
  desk: Desk;
  canned: Canned | undefined;
}

function CannedForm({ desk, canned, onSaved, onCancel }: FormProps) {
  const form = useEdit(
    { short_code: canned?.short_code ?? '', content: canned?.content ?? '' },
    'The answer was not saved',
    (changed, values) =>
      canned ? desk.shelves.canned.change(canned.id, changed) : desk.shelves.canned.create(values),
    () => onSaved(),
  );
  return (
    <FormBody form={form} button="Save answer" onCancel={onCancel}>
      <TextField label="Short code" hint="What you type after /." {...form.bind('short_code')} />
      <TextArea label="Words" rows={5} {...form.bind('content')} />
    </FormBody>
  );
}
