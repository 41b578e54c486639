/** Who sees the conversations of an inbox: its members, and every administrator. Keeps it for a burst of messages. */
import type { Api } from '../api.js';

const REMEMBERED_MS = 10_000;

function remembered<K, T>(ask: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const answers = new Map<K, { at: number; answer: Promise<T> }>();
  return (key) => {
    const now = performance.now();
    const before = answers.get(key);
    if (before && now - before.at < REMEMBERED_MS) return before.answer;
    const answer = ask(key);
    answers.set(key, { at: now, answer });
    return answer;
  };
}

/** Where it cannot be learned, they do. */
export function createSight(api: Api) {
  const membersOf = remembered((inboxId: number) => api.inboxMembers(inboxId));
  const agentsOf = remembered((_: 'account') => api.agents.list());
  return async (agentId: number, inboxId: number): Promise<boolean> => {
    const members = await membersOf(inboxId);
    if (!members.ok || members.value.some(({ id }) => id === agentId)) return true;
    const agents = await agentsOf('account');
    return !agents.ok || agents.value.some(({ id, role }) => id === agentId && role === 'administrator');
  };
}
