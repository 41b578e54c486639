/** Who sees the conversations of an inbox: its members, and every administrator. Keeps nothing. */
import type { Api } from '../api.js';

/** Where it cannot be learned, they do. */
export function createSight(api: Api) {
  return async (agentId: number, inboxId: number): Promise<boolean> => {
    const members = await api.inboxMembers(inboxId);
    if (!members.ok || members.value.some(({ id }) => id === agentId)) return true;
    const agents = await api.agents.list();
    return !agents.ok || agents.value.some(({ id, role }) => id === agentId && role === 'administrator');
  };
}
