/** Answers that agents give often. */
import type { Desk } from '../../state/desk.js';
import type { Canned } from '../../wire/admin.js';
import { TextArea, TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { ShelfPage } from './shelf-page.js';

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
      form={(one, onDone) => <CannedForm desk={desk} canned={one} onDone={onDone} />}
    />
  );
}

function CannedForm({ desk, canned, onDone }: { desk: Desk; canned: Canned | undefined; onDone(): void }) {
  const form = useEdit(
    { short_code: canned?.short_code ?? '', content: canned?.content ?? '' },
    'The answer was not saved',
    (changed, values) =>
      canned ? desk.shelves.canned.change(canned.id, changed) : desk.shelves.canned.create(values),
    onDone,
  );
  return (
    <FormBody form={form} button="Save answer" onCancel={onDone}>
      <TextField label="Short code" hint="What you type after /." {...form.bind('short_code')} />
      <TextArea label="Words" rows={5} {...form.bind('content')} />
    </FormBody>
  );
}
