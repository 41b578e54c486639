/**
 * Where the agent is, in the address, so that the browser's back button, a reload and a link work. Knows no data.
 * `#/12` is a conversation, `#/12/details` its third column, `#/contacts/5` and the like are other pages.
 */
import { atom } from 'nanostores';

const sections = ['inbox', 'contacts', 'reports', 'settings'] as const;
export type Section = (typeof sections)[number];

export interface Place {
  section: Section;
  conversationId: number | undefined;
  details: boolean;
  /** What follows the section. */
  path: readonly string[];
}

const numbered = /^\d{1,15}$/;

/** The number that a part of the address names. */
export const idIn = (part: string | undefined): number | undefined =>
  part !== undefined && numbered.test(part) ? Number(part) : undefined;

function placeOf(hash: string): Place {
  const [first = '', ...path] = hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '');
  const section = sections.find((name) => name === first) ?? 'inbox';
  const conversationId = section === 'inbox' ? idIn(first) : undefined;
  return { section, conversationId, details: conversationId !== undefined && path[0] === 'details', path };
}

export type Places = ReturnType<typeof createPlace>;

export function createPlace() {
  const $place = atom<Place>(placeOf(location.hash));
  const onHash = () => $place.set(placeOf(location.hash));
  addEventListener('hashchange', onHash);
  function goTo(hash: string) {
    if (hash === location.hash) return;
    history.pushState(null, '', hash || location.pathname + location.search);
    onHash();
  }
  return {
    $place,
    goTo,
    go({ conversationId, details = false }: { conversationId?: number | undefined; details?: boolean }) {
      goTo(conversationId === undefined ? '' : `#/${conversationId}${details ? '/details' : ''}`);
    },
    close: () => removeEventListener('hashchange', onHash),
  };
}
