/** What the sentences and the form of a rule speak of: the account's people, labels and attributes. */
import { conditionKeys } from '../../model/rule.js';
import type { Desk } from '../../state/desk.js';
import type { Definition } from '../../wire/admin.js';
import { useShelf } from '../use-shelf.js';

/** Standard keys, then the account's own attributes. */
function keysWith(definitions: readonly Definition[]): typeof conditionKeys {
  const isNumber = (type: string) => type === 'number' || type === 'currency' || type === 'percent';
  return [
    ...conditionKeys,
    ...definitions.map(
      ({ attribute_key: key, attribute_display_name: name, attribute_display_type: type }) =>
        [
          key,
          name,
          type === 'checkbox' ? 'flag' : type === 'date' ? 'date' : isNumber(type) ? 'number' : 'text',
        ] as const,
    ),
  ];
}

export function useRuleWords(desk: Desk) {
  const agents = useShelf(desk.shelves.agents) ?? [];
  const teams = useShelf(desk.shelves.teams) ?? [];
  const inboxes = useShelf(desk.shelves.inboxes) ?? [];
  const labels = useShelf(desk.shelves.labels) ?? [];
  const ofContacts = useShelf(desk.shelves.contactAttributes) ?? [];
  const ofConversations = useShelf(desk.shelves.conversationAttributes) ?? [];
  return { names: { agents, teams, inboxes }, labels, keys: keysWith([...ofConversations, ...ofContacts]) };
}

export const usedByRules = ({ shelves }: Desk) => [
  shelves.agents,
  shelves.teams,
  shelves.inboxes,
  shelves.labels,
  shelves.contactAttributes,
  shelves.conversationAttributes,
];
