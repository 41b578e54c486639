/**
 * Where the visitor writes, and attaches files. What is sent leaves the field, and comes back when it could not be
 * kept. It does not know how files are made ready, how a voice is recorded, nor which emoji there are.
 */
import type { ComponentType, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Key, Values } from '../text/text.js';
import { type EmojiSlot, useSurroundings, type VoiceSlot } from './context.js';
import { AttachIcon, MicIcon, SmileIcon } from './icons.js';
import type { Late } from './later.js';
import { onResize } from './resized.js';
import { isSend, MAX_CHARACTERS } from './shell.js';
import { useDrop } from './use-drop.js';
import { useLater } from './use-later.js';
import { useStore } from './use-store.js';

interface ComposerProps {
  /** A screen lies over it. */
  covered?: boolean;
  onSent: () => void;
}

export function Composer({ covered = false, onSent }: ComposerProps): JSX.Element {
  const surroundings = useSurroundings();
  const { chat, say, settings, later, layer } = surroundings;
  const draft = useStore(chat.$draft);
  const files = useStore(chat.$files);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [note, setNote] = useState('');
  const [Voice, setVoice] = useState<ComponentType<VoiceSlot>>();
  const [Emoji, setEmoji] = useState<ComponentType<EmojiSlot>>();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  /** A press has asked for it, and its file is on its way. */
  const [awaited, setAwaited] = useState<unknown>();
  const readying = useRef<{ work: Promise<void>; put: ReturnType<typeof chat.place> } | undefined>(undefined);
  /** One of those that were being made ready does not go: the words wait for what the visitor says to that. */
  const refused = useRef(false);
  const spoken = useRef<ReturnType<typeof chat.place>>(undefined);
  /** Where files were asked for: by the time they are chosen it may be elsewhere, or somebody else be here. */
  const asking = useRef<ReturnType<typeof chat.place>>(undefined);
  const empty = !draft.trim() && !files.length;
  const attachments = settings.attachments && later?.parts;
  const { it: tray } = useLater('parts', files.length > 0);
  const [asked, setAsked] = useState(false);
  const limits = () => say('fileLimits', { count: settings.maxFiles, size: settings.maxFileMb });
  // What writes numbers is slow to start: not before somebody comes near.
  const near = () => setAsked(true);
  /** A finger gets no tooltip: it is told while it chooses. */
  const [choosing, setChoosing] = useState(false);

  const grow = () => {
    const element = field.current;
    const row = element?.parentElement;
    if (!row || CSS.supports('field-sizing', 'content')) return;
    // As high as it was meanwhile: what lies above would move, and the reader with it.
    row.style.height = `${row.offsetHeight}px`;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
    row.style.height = '';
  };
  useLayoutEffect(grow, [draft, Voice]);
  // What was said and opened is of the visitor and the conversation it was for; first words make one of the same.
  useLayoutEffect(() => {
    const hush = () => {
      setNote('');
      setProblems([]);
      setEmoji(undefined);
    };
    const stops = [
      chat.$rows.listen((rows) => rows ?? hush()),
      chat.$home.listen((_, before) => before && hush()),
      chat.$open.listen((open) => open || setEmoji(undefined)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [chat]);
  // Another width, or the window shown at last: the text takes other lines.
  useLayoutEffect(() => {
    const row = field.current?.parentElement;
    return row ? onResize([row], grow) : undefined;
  }, []);

  /** Where the visitor is: whoever has gone on from there does not wait any more. */
  const where = () => [
    field.current?.form?.querySelector(':focus'),
    chat.$draft.get(),
    chat.$files.get(),
    chat.$open.get(),
  ];
  /** Who asks again, or writes on, has heard it, and is told of it once more. */
  const anew = (words?: string) =>
    setProblems((now) => {
      const fits = words !== undefined && words.trim().length <= MAX_CHARACTERS;
      const over = () => [say('partNotLoaded'), fits && say('tooLong', { count: MAX_CHARACTERS })];
      return now.length ? now.filter((problem) => !over().includes(problem)) : now;
    });
  function bring<T>(late: Late<T> | undefined, show: (it: T) => void) {
    const before = where();
    const done = () => setAwaited((now: unknown) => (now === late ? undefined : now));
    setAwaited(late);
    anew();
    late?.open().then(
      (it) => {
        done();
        if (where().every((one, i) => one === before[i])) show(it);
      },
      () => {
        done();
        fail(['partNotLoaded']);
      },
    );
  }

  /** What is said once more is heard once more. */
  const turn = useRef(0);
  const tell = (sentences: readonly string[]) => {
    turn.current++;
    setProblems(sentences);
  };
  const fail = (...sentences: [Key, Values?][]) => tell(sentences.map((sentence) => say(...sentence)));
  const home = () => chat.$open.get() && field.current?.focus();
  const closeEmoji = () => {
    setEmoji(undefined);
    home();
  };
  useLayoutEffect(() => (Emoji ? layer?.(closeEmoji) : undefined), [Emoji]);
  const recording = useRef(false);
  useLayoutEffect(() => {
    // What the recorder covered cannot take the focus before. Whoever has gone elsewhere meanwhile stays there.
    // Safari on a Mac gives a pressed button no focus, but the window around it.
    const nobody = document.activeElement === document.body || field.current?.closest('dialog:focus');
    if (recording.current && !Voice && nobody) home();
    recording.current = Voice !== undefined;
  }, [Voice]);

  /** Whether it can go, and if not, why. */
  function goes(): boolean {
    // The stores, not the last rendering: Enter may come before the next frame.
    const content = chat.$draft.get().trim();
    const { length } = chat.$files.get();
    if (!content && !length) return false;
    if (content.length > MAX_CHARACTERS) fail(['tooLong', { count: MAX_CHARACTERS }]);
    // Those of a message that was taken back stand beside what was chosen since.
    else if (length > settings.maxFiles) tell([limits()]);
    else {
      fail();
      setNote('');
      return true;
    }
    return false;
  }

  /** What is being made ready here: nobody waits for what is made ready in another conversation. */
  const underWay = () => (readying.current?.put([]) ? readying.current.work : undefined);

  async function send() {
    const still = chat.place();
    // Files are made ready within moments: what is sent now is sent with them, and not what is written until then.
    const ready = underWay()?.then(() => !refused.current && still([]) && goes());
    if (!ready && !goes()) return;
    closeEmoji();
    const sent = await chat.submit(ready);
    // Somebody else may be here by then, who has lost nothing.
    if (!sent.ok) still([]) && fail(['notStored']);
    else if (sent.value !== false) onSent();
  }

  /** @param why comes with what was recorded, and only with that */
  function add(chosen: readonly File[], put = chat.place(), why?: readonly string[]) {
    if (!attachments || !chosen.length) return;
    // What was recorded may belong elsewhere by now.
    const here = put([]);
    if (here) {
      anew();
      // What makes them ready may still be on its way.
      setNote(settings.shrinkImages || !attachments.now() ? say('readying') : '');
    }
    const before = here ? underWay() : undefined;
    if (here && !before) refused.current = false;
    const work = (before ?? Promise.resolve())
      .then(() => later?.parts?.open())
      .then((tray) => tray?.take(chosen, surroundings, put, !!why))
      .catch(() => ({ problems: [say('partNotLoaded')], note: '', here: put([]) }))
      .then((added) => {
        if (readying.current?.work === work) readying.current = undefined;
        // Elsewhere by now, or somebody else: they have asked for nothing.
        if (!added?.here) return;
        refused.current ||= added.problems.length > 0;
        tell([...added.problems, ...(why ?? [])]);
        setNote(added.note);
      });
    if (!here) return;
    readying.current = { work, put };
    // What was recorded may come when nobody has pressed.
    if (!Voice) home();
  }

  function insertAtCursor(text: string, goesOn: boolean) {
    const element = field.current;
    if (!element) return;
    element.setRangeText(text, element.selectionStart, element.selectionEnd, 'end');
    chat.setDraft(element.value);
    if (goesOn) home();
  }

  const over = useDrop(field, !!attachments && !covered, add);

  /** The click itself, too: a frame in a sandbox may send no forms. */
  function pressed(event: Event) {
    event.preventDefault();
    void send();
  }

  function keyDown(event: KeyboardEvent) {
    if (isSend(event)) pressed(event);
  }

  const records = attachments && typeof MediaRecorder === 'function' && navigator.mediaDevices;

  return (
    <form class="composer" part="composer" onSubmit={pressed}>
      {problems.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div key={turn.current} class="problem" role="alert" tabIndex={0}>
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <p class={note && note === say('readying') ? 'limits' : 'sr'} aria-live="polite">
        {note}
      </p>
      {Emoji && (
        <div class="above">
          <Emoji onPick={insertAtCursor} onClose={closeEmoji} />
        </div>
      )}
      {tray && <tray.Tray onNote={setNote} />}
      {choosing && <p class="limits">{limits()}</p>}
      <div class="field">
        {Voice && (
          <Voice
            covered={covered}
            onEnd={(file, ...why) => {
              setVoice(undefined);
              if (file) add([file], spoken.current, why);
              else tell(why);
            }}
          />
        )}
        {attachments && (
          <>
            <input
              ref={picker}
              type="file"
              multiple
              accept={settings.fileTypes}
              hidden
              onCancel={() => setChoosing(false)}
              onChange={({ currentTarget }) => {
                setChoosing(false);
                add([...(currentTarget.files ?? [])], asking.current);
                // The same file may be chosen again.
                currentTarget.value = '';
              }}
            />
            <button
              type="button"
              class="tool"
              aria-label={say('attach')}
              title={asked ? limits() : undefined}
              onPointerEnter={near}
              onFocus={near}
              onClick={() => {
                asking.current = chat.place();
                setChoosing(matchMedia('(hover: none)').matches);
                picker.current?.click();
              }}
            >
              <AttachIcon />
            </button>
          </>
        )}
        <textarea
          ref={field}
          rows={1}
          dir={draft ? 'auto' : undefined}
          aria-label={say('message')}
          placeholder={say('placeholder')}
          value={draft}
          enterkeyhint="send"
          onInput={({ currentTarget: { value } }) => {
            chat.setDraft(value);
            anew(value);
          }}
          onKeyDown={keyDown}
          onBlur={chat.stopTyping}
        />
        {later?.emoji && (
          <button
            type="button"
            class="tool"
            aria-label={say('emoji')}
            aria-expanded={Emoji !== undefined}
            aria-busy={awaited === later.emoji || undefined}
            onClick={() =>
              Emoji ? setEmoji(undefined) : bring(later.emoji, (found) => setEmoji(() => found.Emoji))
            }
          >
            <SmileIcon />
          </button>
        )}
        {records && empty ? (
          <button
            key="record"
            type="button"
            class="tool"
            aria-label={say('record')}
            aria-busy={(awaited !== undefined && awaited === later?.parts) || undefined}
            onClick={() => {
              fail();
              spoken.current = chat.place();
              bring(later?.parts, (found) => setVoice(() => found.Voice));
            }}
          >
            <MicIcon />
          </button>
        ) : (
          <button
            key="send"
            type="submit"
            class="send"
            onClick={pressed}
            part="send"
            aria-label={say('send')}
            aria-disabled={empty}
          />
        )}
      </div>
      {over && (
        <div class="drop">
          <AttachIcon />
          <p>{say('drop')}</p>
          <p>{limits()}</p>
        </div>
      )}
    </form>
  );
}
