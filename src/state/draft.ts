/**
 * What the visitor has written and attached and not sent. What is sent leaves the field at once, so that the next
 * words can be written, but its words stay in the kept draft until the engine keeps them itself; what it cannot keep
 * comes back, in front of what was written since. Files last as long as the page. It does not know how they are sent.
 */
import { atom } from 'nanostores';
import type { Result } from '../errors.js';
import type { KeptFile, Shelf } from '../page-held.js';
import type { Local } from '../storage/local.js';

type Send = (content: string, files: KeptFile[]) => Promise<Result<unknown>>;

interface Written {
  words: string;
  files: readonly File[];
  /** On its way to the engine, which says what becomes of it. */
  read?: true;
}

/** A file from a disk that does not answer would hold up all that is sent after it. */
const READ_MS = 60_000;

const NOTHING: Written = { words: '', files: [] };
/** Nothing was to be sent. */
const DONE: Result<unknown> = { ok: true, value: false };
/** Not `errors.ts`: the rest of it belongs to the engine. */
const NOT_KEPT: Result<unknown> = { ok: false, error: { kind: 'storage' } };

/** Where the words for a conversation wait that is not before the visitor. */
const nameOf = (conversation: number | undefined) => `draft:${conversation ?? ''}`;
const asText = (value: unknown) => (typeof value === 'string' ? value : '');
const joined = (words: readonly string[]) => words.filter(Boolean).join('\n');
const wordsOf = (all: readonly Written[]) => joined(all.map(({ words }) => words));
const hasContent = ({ words, files }: Written) => words.trim() || files.length;
const bytesOf = async (file: File): Promise<KeptFile> => ({
  name: file.name,
  type: file.type,
  bytes: await file.arrayBuffer(),
});

/**
 * @param engine resolves once words can be sent; until then they stay in the field
 * @param changed hears of every change in the field
 */
export function createDraft(
  local: Local,
  engine: Promise<() => { press: Send }>,
  changed: (draft: string) => void,
) {
  const $draft = atom(asText(local.get('draft')));
  const { held } = local;
  const $files = atom(held.chosen);
  held.$files = $files;
  held.whose ??= {};
  /** Files of the conversations that are not before the visitor; those that are, are in `$files`. */
  const others = held.others ?? new Map<number | undefined, Shelf>();
  held.others = undefined;
  let here: Shelf = { files: [] };
  let leaving: Written[] = [];
  /** The chat is no more. */
  let over = false;
  let send: Send | undefined;
  /** What is to be sent and cannot be yet, and stands in the field still: each with what was asked for before it. */
  let waits: Written[] = [];
  const asked = () => waits.at(-1) ?? NOTHING;
  /** How often another tab has taken the words of that. */
  let taken = 0;
  let last: Promise<unknown> = Promise.resolve();
  const there = engine.then((verbs) => {
    send = (words, files) => verbs().press(words, files);
  });

  const gone = () => wordsOf(leaving);

  function show(draft: string) {
    $draft.set(draft);
    const all = joined([gone(), draft]);
    if (all) local.set('draft', all);
    else local.remove('draft');
  }

  function set(draft: string) {
    show(draft);
    changed(draft);
  }

  /** To whichever chat is there by now, or to the next one. */
  function bring(files: readonly File[]) {
    const { $files } = held;
    if ($files) $files.set([...files, ...$files.get()]);
    else held.chosen = [...files, ...held.chosen];
  }

  function back(words: string, files: readonly File[]) {
    bring(files);
    set(joined([words, $draft.get()]));
  }

  async function leave(batch: Written): Promise<Result<unknown>> {
    // One before it could not be kept and has brought this one back with it: nothing overtakes.
    if (!leaving.includes(batch)) return NOT_KEPT;
    // A file may have gone from the disk since it was chosen.
    let timer: number | undefined;
    const late = new Promise<undefined>((over) => {
      timer = setTimeout(over, READ_MS);
    });
    const kept = await Promise.race([Promise.all(batch.files.map(bytesOf)), late]).catch(() => undefined);
    clearTimeout(timer);
    // Read once more: meanwhile somebody else may be there.
    batch.read = true;
    const sent = (kept && leaving.includes(batch) && (await send?.(batch.words.trim(), kept))) || NOT_KEPT;
    if (!leaving.includes(batch)) return sent;
    if (sent.ok) {
      leaving = leaving.filter((other) => other !== batch);
      set($draft.get());
    } else comeBack(leaving);
    return sent;
  }

  function comeBack(all: readonly Written[]) {
    leaving = leaving.filter((batch) => !all.includes(batch));
    back(
      wordsOf(all),
      all.flatMap(({ files }) => files),
    );
  }

  const deaf = local.onChange('draft', (value) => {
    const text = asText(value);
    const own = gone();
    // Another tab has read what is leaving this one as a part of the draft, and may have put words before it.
    const draft = own ? `\n${text}`.replace(`\n${own}`, () => '').replace(/^\n/, '') : text;
    if (!draft.startsWith(asked().words)) {
      for (const one of waits) one.words = '';
      taken++;
    }
    $draft.set(draft);
  });

  return {
    $draft,
    $files,
    /** What is leaving when the chat is destroyed is a part of the draft that the next one shows, until it has left. */
    undo: () => void last.then(deaf),
    /** Files that have not left are there in the next chat; those of the message that is just leaving, if it cannot. */
    hold() {
      over = true;
      held.chosen = $files.get();
      held.others = others;
      // Nor does what stays behind hold a chat that is no more.
      delete held.$files;
      for (const batch of [...leaving].reverse()) {
        if (batch.read) continue;
        bring(batch.files);
        batch.files = [];
      }
    },
    set(draft: string) {
      if ($draft.get() !== draft) set(draft);
    },
    /** What was sent already, and did not arrive, is written on. */
    give: (words: string, files: readonly KeptFile[]) =>
      back(
        words,
        files.map(({ name, type, bytes }) => new File([bytes], name, { type })),
      ),
    /**
     * Sends what stands in the field now. Each call is a message of its own, in the order of the calls.
     * @param ready once its files are there, with what they are by then; whether it can go
     */
    async submit(ready?: Promise<boolean>): Promise<Result<unknown>> {
      const batch: Written = { words: $draft.get(), files: $files.get() };
      if (!send || ready) {
        // It is still in the field: a second press is for what was added since.
        const whole = { ...batch };
        const { words, files } = asked();
        if (batch.words.startsWith(words)) batch.words = batch.words.slice(words.length);
        batch.files = batch.files.filter((file) => !files.includes(file));
        const before = taken;
        if (ready || hasContent(batch)) {
          waits.push(whole);
          const goes = (await ready) ?? true;
          await there;
          waits = waits.filter((one) => one !== whole);
          if (ready) batch.files = $files.get();
          // Whoever writes it anew meanwhile sends it anew.
          if (!goes || over || (ready && !$draft.get().startsWith(batch.words))) return DONE;
        }
        if (before !== taken) batch.words = '';
        // Those that were ready late may have left with a call before this one.
        batch.files = batch.files.filter((file) => $files.get().includes(file));
        if (!hasContent(batch)) return DONE;
      }
      const draft = $draft.get();
      leaving.push(batch);
      for (const one of waits)
        if (one.words.startsWith(batch.words)) one.words = one.words.slice(batch.words.length);
      $files.set($files.get().filter((file) => !batch.files.includes(file)));
      set(draft.startsWith(batch.words) ? draft.slice(batch.words.length) : draft);
      const sent = last.then(() => leave(batch));
      last = sent.catch(() => undefined);
      return sent;
    },
    /**
     * Each conversation has its own: what stands in the field stays with the one that is left. Words that are leaving
     * have left.
     * @param from undefined where the next words make one
     * @param asked what stood there when the other one was asked for: what was added since is for that one
     */
    turn(from: number | undefined, to: number | undefined, asked: string) {
      const draft = $draft.get();
      const since = draft.startsWith(asked) ? draft.slice(asked.length) : '';
      const words = since ? asked : draft;
      if (words) local.set(nameOf(from), words);
      const next = asText(local.get(nameOf(to)));
      local.remove(nameOf(to));
      show(next + since);
    },
    /** Of the files each tab has its own. */
    turnFiles(from: number | undefined, to: number | undefined) {
      here.files = $files.get();
      others.set(from, here);
      here = others.get(to) ?? { files: [] };
      others.delete(to);
      $files.set(here.files);
      const unread = leaving.filter(({ read }) => !read);
      // It was not for this one.
      if (unread.length) comeBack(unread);
    },
    /**
     * For files that come later than they were chosen: they belong to whom and where that was.
     * @returns adds them, and tells whether it is still before the visitor
     */
    place() {
      const shelf = here;
      const { whose } = held;
      return (files: readonly File[]): boolean => {
        if (shelf !== here) shelf.files = [...shelf.files, ...files];
        else if (!over) files.length && $files.set([...$files.get(), ...files]);
        else if (held.whose === whose) bring(files);
        return shelf === here && held.whose === whose;
      };
    },
    /** Something was sent and is not kept yet. */
    leaving: () => leaving.length > 0,
    /** There are no conversations any more: all that is written and attached stands in one field. */
    gather() {
      const words: string[] = [];
      for (const { name } of local.all()) {
        if (!name.startsWith(nameOf(undefined))) continue;
        words.push(asText(local.get(name)));
        local.remove(name);
      }
      if (words.length) show(joined([...words, $draft.get()]));
      if (others.size) $files.set([...[...others.values()].flatMap(({ files }) => files), ...$files.get()]);
      others.clear();
    },
    /** What is kept by now: nothing, unless somebody has begun in another tab. */
    clear() {
      leaving = [];
      others.clear();
      here = { files: [] };
      held.whose = {};
      $draft.set(asText(local.get('draft')));
      $files.set([]);
    },
  };
}
