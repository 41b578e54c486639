/** Who moved something, and how the system line names them. */
import type { AgentRow, ContactRow } from '../store/rows.js';

export type Actor =
  | { kind: 'agent'; agent: AgentRow }
  | { kind: 'contact'; contact: ContactRow }
  | { kind: 'rule'; name: string }
  /** The contact's new message. */
  | { kind: 'message' }
  /** The end of a snooze. */
  | { kind: 'time' };

export const agentIn = (actor: Actor): AgentRow | undefined =>
  actor.kind === 'agent' ? actor.agent : undefined;

export const agentName = (agent: AgentRow) => agent.display_name || agent.name;

export function nameOf(actor: Actor): string {
  switch (actor.kind) {
    case 'agent':
      return agentName(actor.agent);
    case 'contact':
      return actor.contact.name || 'the contact';
    case 'rule':
      return `the rule "${actor.name}"`;
    case 'message':
      return 'a new message';
    case 'time':
      return 'the end of its snooze';
  }
}
