/**
 * Whether the browser would keep what the chat keeps. It tries with one empty entry that it takes away at once, and
 * not where the owner wants nothing to be kept. It does not read what is kept.
 */
import { isFull } from '../errors.js';
import { type Finding, ok, problem, warning } from './finding.js';
import { within } from './wait.js';

const PROBE = 'parley-doctor';
const LIMIT_MS = 4_000;
/** A few pictures that wait to be sent. */
const ROOM_BYTES = 20_000_000;

type Kept = 'kept' | 'refused' | 'full';

function tryWebStorage(name: 'localStorage' | 'sessionStorage'): Kept {
  try {
    const storage = window[name];
    storage.setItem(PROBE, '');
    const kept = storage.getItem(PROBE) === '';
    storage.removeItem(PROBE);
    return kept ? 'kept' : 'refused';
  } catch (error) {
    return isFull(error) ? 'full' : 'refused';
  }
}

function tryDatabase(): Promise<Kept> {
  return new Promise((resolve) => {
    const end = (kept: Kept) => {
      resolve(kept);
      try {
        indexedDB.deleteDatabase(PROBE);
      } catch {}
    };
    try {
      const request = indexedDB.open(PROBE);
      request.onsuccess = () => {
        request.result.close();
        end('kept');
      };
      request.onerror = () => end(isFull(request.error) ? 'full' : 'refused');
    } catch {
      resolve('refused');
    }
  });
}

/** In a frame of another site what is kept is kept for that site alone. Where sites end no page can tell. */
function inForeignFrame(): boolean {
  try {
    return window.top !== window && window.top?.location.origin !== location.origin;
  } catch {
    return true;
  }
}

/** What the owner wants to be kept, and whether this visitor has agreed to more. */
export interface Wanted {
  storage: unknown;
  consent: unknown;
  known: boolean;
}

export async function checkStorage({ storage, consent, known }: Wanted): Promise<Finding[]> {
  // Who has written has all of it kept, whatever is asked for by the browser or the options.
  const level = known ? 'persistent' : storage;
  if (!known && 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl)
    return [
      ok(
        'This browser asks for privacy (Global Privacy Control): the chat keeps nothing until the visitor or your page allows it.',
      ),
    ];
  if (level === 'memory')
    return [
      ok(
        `As your options say, nothing is kept before ${consent === 'call' ? '' : 'a visitor writes or '}your page calls allow().`,
      ),
    ];
  if (self.origin === 'null')
    return [
      problem(
        'This page is a sandboxed frame and may keep nothing: add allow-same-origin to the frame’s sandbox. Until then a visitor is a new one on every page.',
      ),
    ];
  const found: Finding[] = [];
  const name = level === 'session' ? 'sessionStorage' : 'localStorage';
  const web = tryWebStorage(name);
  const database =
    level === 'session' ? 'kept' : await within<Kept, Kept>(LIMIT_MS, tryDatabase(), 'refused');
  if (web === 'full' || database === 'full')
    found.push(
      problem(
        `${web === 'full' ? name : 'The storage of this site'} is full: free some of what your page keeps. Until then a visitor may be a new one on every page.`,
      ),
    );
  const refused = [...(web === 'refused' ? [name] : []), ...(database === 'refused' ? ['IndexedDB'] : [])];
  if (refused.length)
    found.push(
      problem(
        `This browser refuses ${refused.join(' and ')}: allow cookies and site data for this site, or leave the private window. Until then ${web === 'refused' ? 'a visitor is a new one on every page' : 'files that wait to be sent are lost with the page'}.`,
      ),
    );
  const { quota, usage } = await estimate();
  if (quota !== undefined && quota - (usage ?? 0) < ROOM_BYTES)
    found.push(
      warning(
        `Only ${Math.round((quota - (usage ?? 0)) / 1e6)} MB are left for this site: files that wait to be sent may not be kept.`,
      ),
    );
  if (inForeignFrame())
    found.push(
      warning(
        'This page is a frame in a page of another origin. If that is another site, browsers keep things apart, and a visitor here is another one than on your own site: put the tag on the outer page if that matters.',
      ),
    );
  return found.length
    ? found
    : [ok('This browser keeps drafts, messages that wait, and who the visitor is.')];
}

async function estimate(): Promise<StorageEstimate> {
  const nothing: StorageEstimate = {};
  try {
    return await within(LIMIT_MS, navigator.storage.estimate(), nothing);
  } catch {
    return nothing;
  }
}
