/** Files that are not sent yet: those that wait above the field, and those of a message that is on its way. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { cleanFileName } from '../content/clean.js';
import { findLength } from '../content/length.js';
import { sizeOf } from '../content/size.js';
import { type TraySlot, type UnsentSlot, useSurroundings } from '../ui/context.js';
import { goHome } from '../ui/focus.js';
import { CloseIcon, FileIcon } from '../ui/icons.js';
import { useStore } from '../ui/use-store.js';
import { nameIn } from './ready.js';

/** A picture as a picture and a sound to be heard, if the browser can; else a sheet of paper. */
function Preview({ file, name }: { file: Blob | undefined; name: string }): JSX.Element {
  const [url, setUrl] = useState('');
  const kind = /^(image|audio)\//.exec(file?.type ?? '')?.[1];
  useEffect(() => {
    // Another file may have moved up to this place.
    setUrl('');
    if (!file || !kind) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (!url) return <FileIcon />;
  // biome-ignore lint/a11y/useMediaCaption: it is the visitor's own voice, a moment ago
  if (kind === 'audio') return <audio controls src={url} aria-label={name} onLoadedMetadata={findLength} />;
  return <img src={url} alt="" onError={() => setUrl('')} />;
}

function FileLine({ file, blob }: { file: { name: string; size: number }; blob?: Blob | undefined }) {
  const { locale } = useSurroundings();
  const name = cleanFileName(file.name);
  return (
    <>
      <Preview file={blob} name={name} />
      <span class="named">
        <bdi class={/^audio/.test(blob?.type ?? '') ? 'sr' : ''}>{name}</bdi>
        <small>{sizeOf(file.size, locale)}</small>
      </span>
    </>
  );
}

export function Tray({ onNote }: TraySlot): JSX.Element | null {
  const { chat, say } = useSurroundings();
  const files = useStore(chat.$files);
  const list = useRef<HTMLUListElement>(null);
  if (!files.length) return null;
  function remove(file: File) {
    const last = files.at(-1) === file;
    chat.setFiles(files.filter((other) => other !== file));
    // Of one name may be a file of a message that was taken back: the same words are heard once more with a space.
    onNote(say('fileRemoved', { name: nameIn(file) }) + '\u00a0'.repeat(files.length % 2));
    if (last) goHome(list.current);
  }
  return (
    <ul ref={list} class="tray" aria-label={say('chosenFiles')}>
      {files.map((file, i) => (
        // By number: the focus stays at its place when one before it goes.
        <li key={i}>
          <FileLine file={file} blob={file} />
          <button
            type="button"
            aria-label={say('removeFile', { name: cleanFileName(file.name) })}
            onClick={() => remove(file)}
          >
            <CloseIcon />
          </button>
        </li>
      ))}
    </ul>
  );
}

export function UnsentFiles({ entry }: UnsentSlot): JSX.Element {
  const { chat, say, locale } = useSurroundings();
  const progress = useStore(chat.$progress);
  const [blobs, setBlobs] = useState<readonly Blob[]>([]);
  const { echoId, files, state } = entry;
  useEffect(() => {
    let shown = true;
    if (files.some(({ type }) => /^image/.test(type)))
      void chat.files(echoId).then((kept) => {
        if (shown && kept.ok) setBlobs(kept.value.map(({ bytes, type }) => new Blob([bytes], { type })));
      });
    return () => {
      shown = false;
    };
  }, [echoId]);
  const fraction = progress?.echoId === echoId ? progress.fraction : undefined;
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(fraction ?? 0);
  return (
    <>
      <ul class="tray">
        {files.map((file, i) => (
          <li key={i}>
            <FileLine file={file} blob={blobs[i]} />
          </li>
        ))}
      </ul>
      {fraction !== undefined && (
        <progress value={fraction} aria-label={say('uploading')} aria-valuetext={percent} />
      )}
      {(state === 'queued' || (fraction ?? 1) < 1) && (
        <button
          type="button"
          class="small cancel"
          onClick={({ currentTarget }) => goHome(currentTarget, chat.edit(echoId))}
        >
          {say('cancelUpload')}
        </button>
      )}
    </>
  );
}
