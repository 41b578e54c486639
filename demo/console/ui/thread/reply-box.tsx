/**
 * Where the agent writes: a reply the visitor reads, or a note only the team reads; which one is seen and said. Beside
 * the words: files, canned answers, questions, and what is quoted.
 */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MB, sizeOf } from '../../../../src/content/size.js';
import { filesInShort } from '../../model/files.js';
import { inShort, isMarked } from '../../model/rows.js';
import type { Desk } from '../../state/desk.js';
import type { Mode } from '../../state/drafts.js';
import type { Message } from '../../wire/schemas.js';
import { Icon } from '../icons.js';
import { IconButton } from '../kit/icon-button.js';
import { useHeir } from '../kit/use-heir.js';
import { useVoice } from '../kit/use-voice.js';
import { focus } from '../shortcuts.js';
import { useStore } from '../use-store.js';
import { AskDialog } from './ask-dialog.js';
import { CannedPicker } from './canned-picker.js';

const MOST_FILES = 15;
const TOO_MANY = `A message takes ${MOST_FILES} files: the others were not attached.`;
const MOST_BYTES = 40 * MB;

const tooLarge = (files: readonly File[]) =>
  `A file takes ${sizeOf(MOST_BYTES, 'en')} at most. Not attached: ${files.map(({ name }) => name).join(', ')}.`;

const modes = {
  reply: { label: 'Reply', button: 'Send reply' },
  note: { label: 'Private note', button: 'Add note' },
} as const;

const added = (names: readonly string[]) =>
  `${names.length === 1 ? 'Added' : `${names.length} files added`}: ${names.join(', ')}`;

interface Props {
  desk: Desk;
  conversationId: number;
  visitor: string;
}

export function ReplyBox({ desk, conversationId, visitor }: Props) {
  const mode = useStore(desk.drafts.$mode);
  const text = useStore(desk.drafts.$texts)[`${conversationId}:${mode}`] ?? '';
  const quoted = useStore(desk.drafts.$quoted);
  const [open, setOpen] = useState<'ask' | 'canned' | undefined>(undefined);
  const picker = useRef<HTMLInputElement>(null);
  /** At the press: by the time the files are chosen, a notification may have led elsewhere. */
  const pickedFor = useRef<Mode | undefined>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  /** Behind a canned answer that was taken. */
  const caret = useRef<number | undefined>(undefined);
  const [region, say] = useVoice();
  const { label, button } = modes[mode];
  const close = () => setOpen(undefined);

  // Once the dialog is closed, which gives the focus back to its button.
  useLayoutEffect(() => {
    const at = caret.current;
    if (open || at === undefined) return;
    caret.current = undefined;
    field.current?.focus();
    field.current?.setSelectionRange(at, at);
  }, [open]);

  /** In place of what is selected, and apart from the words around it. */
  function insert(words: string) {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {};
    const before = text.slice(0, selectionStart);
    const after = text.slice(selectionEnd);
    const written = `${before}${/\S$/.test(before) ? ' ' : ''}${words}`;
    caret.current = written.length;
    desk.drafts.write(conversationId, mode, `${written}${/^[\p{L}\p{N}]/u.test(after) ? ' ' : ''}${after}`);
  }

  function onKeyDown(event: KeyboardEvent) {
    // 229: Safari ends the composition before it tells of the Enter that ended it.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === '/' && text === '') {
      event.preventDefault();
      setOpen('canned');
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    desk.submit();
  }

  function attach(files: FileList | null | undefined, to: Mode) {
    if (!files?.length) return;
    const large = [...files].filter(({ size }) => size > MOST_BYTES);
    const before = desk.drafts.filesOf(conversationId, to);
    const all = [...before, ...[...files].filter((file) => !large.includes(file))];
    const taken = all.slice(0, MOST_FILES);
    desk.drafts.attach(conversationId, to, taken);
    const fresh = taken.slice(before.length);
    if (fresh.length) say(added(fresh.map(({ name }) => name)));
    const problems = [
      ...(large.length ? [tooLarge(large)] : []),
      ...(all.length > MOST_FILES ? [TOO_MANY] : []),
    ];
    if (problems.length) desk.notices.problem('files', problems.join(' '));
    else desk.notices.hush('files');
  }

  function paste(event: ClipboardEvent) {
    const data = event.clipboardData;
    // Office programs bring a picture of the words, too; a file from a desktop brings its name.
    const worded = data?.types.includes('text/plain') && data.types.some((type) => /html|rtf/.test(type));
    if (!data?.files.length || worded) return;
    event.preventDefault();
    attach(data.files, mode);
  }

  return (
    <>
      <form
        class={`reply-box ${mode}`}
        onSubmit={(event) => {
          event.preventDefault();
          desk.submit();
        }}
        onDragOver={(event) => event.dataTransfer?.types.includes('Files') && event.preventDefault()}
        onDrop={(event) => {
          // Words go where they are dropped.
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          attach(event.dataTransfer.files, mode);
        }}
      >
        <fieldset class="modes">
          <legend class="hidden">Write a</legend>
          <ModeChoice desk={desk} mode="reply" current={mode} />
          <ModeChoice desk={desk} mode="note" current={mode} />
        </fieldset>
        {quoted && <Quoting desk={desk} quoted={quoted} visitor={visitor} />}
        <textarea
          ref={field}
          id="reply"
          rows={2}
          dir="auto"
          aria-label={label}
          aria-describedby={quoted ? 'reply-quoted reply-hint' : 'reply-hint'}
          aria-keyshortcuts="Enter"
          enterkeyhint="send"
          placeholder={
            mode === 'note' ? 'Write a note for your team' : 'Write a reply, or / for a canned one'
          }
          value={text}
          onInput={({ currentTarget: { value } }) => {
            desk.drafts.write(conversationId, mode, value);
            if (value) desk.typing.keystroke(conversationId, mode === 'note');
            else desk.typing.stop();
          }}
          onKeyDown={onKeyDown}
          onPaste={paste}
          onBlur={desk.typing.stop}
        />
        <Tray
          desk={desk}
          onRemove={(files, { name }) => {
            desk.drafts.attach(conversationId, mode, files);
            say(`${name} was removed.`);
          }}
        />
        {region}
        <p id="reply-hint" class="hidden" aria-live="polite">
          {mode === 'note' ? (
            'Only your team sees this.'
          ) : (
            <>
              <bdi>{visitor}</bdi> sees this.
            </>
          )}
          {' Enter sends, Shift+Enter breaks the line.'}
        </p>
        <div class="reply-foot">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label="Files"
            onChange={({ currentTarget }) => {
              attach(currentTarget.files, pickedFor.current ?? mode);
              pickedFor.current = undefined;
              currentTarget.value = '';
            }}
          />
          <IconButton
            icon="attach"
            label="Attach files"
            tip="Attach files"
            onClick={() => {
              pickedFor.current = mode;
              picker.current?.click();
            }}
          />
          <IconButton
            icon="canned"
            label="Canned answers"
            tip="Canned answers"
            onClick={() => setOpen('canned')}
          />
          {mode === 'reply' && (
            <IconButton
              icon="ask"
              label="Ask the visitor"
              title="Quick replies, forms, cards"
              onClick={() => setOpen('ask')}
            />
          )}
          <span class="who-sees" aria-hidden="true">
            {mode === 'note' ? 'Only your team sees this.' : ''}
          </span>
          <button type="submit" class="primary">
            {button}
          </button>
        </div>
      </form>
      {open === 'ask' && <AskDialog desk={desk} conversationId={conversationId} onClose={close} />}
      {open === 'canned' && (
        <CannedPicker
          desk={desk}
          onClose={close}
          onSlash={
            text === ''
              ? () => {
                  close();
                  desk.drafts.write(conversationId, mode, '/');
                }
              : undefined
          }
          onPick={(words) => {
            close();
            insert(words);
          }}
        />
      )}
    </>
  );
}

function Quoting({ desk, quoted, visitor }: { desk: Desk; quoted: Message; visitor: string }) {
  const { message_type, sender } = quoted;
  const author = message_type === 0 ? visitor : sender?.available_name || sender?.name || 'Message';
  // A colleague may delete what is quoted.
  const ref = useHeir<HTMLDivElement>(() => document.getElementById('reply'));
  return (
    <div class="quoting" ref={ref}>
      <p id="reply-quoted">
        <span class="hidden">Answers </span>
        <bdi>{author}</bdi>
        <span dir="auto">
          {inShort({ text: quoted.content ?? '', marked: isMarked(quoted) }, 140) ||
            filesInShort(quoted.attachments)}
        </span>
      </p>
      <IconButton
        icon="close"
        label="Do not quote"
        onClick={() => {
          desk.drafts.quote(undefined);
          focus('reply');
        }}
      />
    </div>
  );
}

function Tray(props: { desk: Desk; onRemove(left: readonly File[], file: File): void }) {
  const files = useStore(props.desk.drafts.$files);
  if (files.length === 0) return null;
  return (
    <ul class="tray" aria-label="Attached">
      {files.map((file) => (
        <li key={`${file.name}-${file.size}-${file.lastModified}`}>
          <Icon name="file" />
          <bdi>{file.name}</bdi>
          <IconButton
            icon="close"
            label={`Remove ${file.name}`}
            onClick={() => {
              props.onRemove(
                files.filter((one) => one !== file),
                file,
              );
              focus('reply');
            }}
          />
        </li>
      ))}
    </ul>
  );
}

function ModeChoice({ desk, mode, current }: { desk: Desk; mode: Mode; current: Mode }) {
  return (
    <label>
      <input
        type="radio"
        name="mode"
        value={mode}
        checked={mode === current}
        onChange={() => desk.drafts.$mode.set(mode)}
      />
      <span>{modes[mode].label}</span>
    </label>
  );
}
