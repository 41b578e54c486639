/** The whole playground: options on one side, the framed page and what to copy on the other. */
import { useEffect, useState } from 'preact/hooks';
import type { OptionName } from '../../../src/options-table.js';
import { type Draft, emptyDraft, readDraft, type Standard, writeDraft } from '../model/draft.js';
import { correctionsFor } from '../model/wrong.js';
import { Copy } from './copy.js';
import { Options } from './options.js';
import { Preview } from './preview.js';
import { Take } from './take.js';

export function App({ standard }: { standard: Standard }) {
  const [draft, setDraft] = useState(() => readDraft(location.hash, standard));
  const hash = writeDraft(draft, standard);
  const address = hash ? `#${hash}` : location.pathname;
  useEffect(() => {
    try {
      // Not a step to go back to for every letter.
      history.replaceState(null, '', address);
    } catch {
      // Too many in a short time, for some browsers.
    }
  }, [address]);
  useEffect(() => {
    const follow = () => setDraft(readDraft(location.hash, standard));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [standard]);

  const change = (patch: Partial<Draft>) => setDraft((old) => ({ ...old, ...patch }));
  const setOption = (name: OptionName, value: string | undefined) =>
    setDraft((old) => ({ ...old, values: { ...old.values, [name]: value } }));
  const corrections = correctionsFor(draft.values);

  return (
    <>
      <header class="top">
        <div>
          <h1>
            <span class="wordmark">Parley</span> playground
          </h1>
          <p>Set what you like, see it in the framed page, and take the code along.</p>
        </div>
        <div class="top-actions">
          <Copy
            text={() => new URL(address, location.href).href}
            label="Copy the link"
            instead="it is the address of this page"
          />
          <button type="button" class="quiet" onClick={() => setDraft(emptyDraft(standard))}>
            Start over
          </button>
        </div>
      </header>
      <main class="playground" data-width={draft.width}>
        <Options draft={draft} corrections={corrections} setOption={setOption} />
        <div class="beside">
          <Preview draft={draft} corrections={corrections} change={change} />
          <Take draft={draft} change={change} />
        </div>
      </main>
    </>
  );
}
