/** What is told once: to be copied now, gone with the page. */
import { useEffect, useState } from 'preact/hooks';
import type { ToldOnce } from '../../state/told-once.js';
import { IconButton } from '../kit/icon-button.js';
import { useHeir } from '../kit/use-heir.js';
import { useStore } from '../use-store.js';

interface Props {
  words: string;
  told: ToldOnce;
  /** As it is to be copied. */
  write?(secret: string): string;
}

export function Secrets({ words, told, write = (secret) => secret }: Props) {
  return useStore(told.$told).map((one) => (
    <Secret
      key={one.secret}
      of={one.of}
      words={words}
      value={write(one.secret)}
      onClose={() => told.forget(one)}
    />
  ));
}

function Secret({
  of,
  words,
  value,
  onClose,
}: {
  of: string;
  words: string;
  value: string;
  onClose(): void;
}) {
  useEffect(() => onClose, []);
  const ref = useHeir<HTMLElement>((going) =>
    going.closest('.page-frame')?.querySelector<HTMLElement>('.page-actions :is(a, button)'),
  );
  const [copied, setCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      // Refused, or not a secure place: the field can be selected by hand.
    }
  }
  return (
    <section ref={ref} class="secret" aria-label={`Shown once: ${of}`}>
      <p>
        <strong dir="auto">{of}</strong>: {words}
      </p>
      <div class="secret-line">
        <input
          type="text"
          readOnly
          aria-label="Secret"
          value={value}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" class="secondary" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </button>
        <IconButton icon="close" label="Hide for good" onClick={onClose} />
      </div>
      <p role="status" class="hidden">
        {copied ? 'Copied' : ''}
      </p>
    </section>
  );
}
