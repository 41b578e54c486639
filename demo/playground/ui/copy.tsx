/** A button that copies, and says that it has. */
import { useEffect, useState } from 'preact/hooks';

const SAID_MS = 4_000;

/**
 * @param about told to who does not see where the button stands
 * @param instead what to do where the browser does not copy
 */
export function Copy({
  text,
  label = 'Copy',
  about = '',
  instead = 'select it and press Ctrl+C',
}: {
  text: () => string;
  label?: string;
  about?: string;
  instead?: string;
}) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
    } catch {
      setSaid(`The browser refuses: ${instead}`);
    }
  }
  return (
    <span class="copy">
      <span role="status">{said}</span>
      <button type="button" class="secondary" onClick={() => void copy()}>
        {label}
        {about && <span class="hidden"> {about}</span>}
      </button>
    </span>
  );
}
