/** Search box, selects and the live counts, which are choices, too. The search waits for a pause in the typing. */
import { useEffect, useState } from 'preact/hooks';
import type { Desk } from '../state/desk.js';
import { Choice } from './choice.js';
import { Icon } from './icons.js';
import { useShelf } from './use-shelf.js';
import { useStore } from './use-store.js';

const PAUSE_MS = 250;

const statuses = [
  ['open', 'Open'],
  ['resolved', 'Resolved'],
  ['pending', 'Pending'],
  ['snoozed', 'Snoozed'],
  ['all', 'All'],
] as const;
const assignees = [
  ['all', 'All'],
  ['me', 'Mine'],
  ['unassigned', 'Unassigned'],
  ['assigned', 'Assigned'],
] as const;

export function Filters({ desk }: { desk: Desk }) {
  const { conversations } = desk;
  const filters = useStore(conversations.$filters);
  const [search, setSearch] = useState(filters.search);

  useEffect(() => {
    const words = search.trim();
    if (words === conversations.$filters.get().search) return;
    const timer = setTimeout(() => conversations.setFilters({ search: words }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [search, conversations]);

  return (
    <search class="filters">
      <div class="search-box">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          aria-label="Search conversations"
          aria-keyshortcuts="Control+K"
          placeholder="Search messages"
          value={search}
          dir="auto"
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <div class="selects">
        <Choice
          label="Status"
          options={statuses}
          value={filters.status}
          disabled={!!filters.search}
          onChoose={(status) => conversations.setFilters({ status })}
        />
        <Choice
          label="Assigned to"
          options={assignees}
          value={filters.assignee}
          onChoose={(assignee) => conversations.setFilters({ assignee })}
        />
      </div>
      <MoreFilters desk={desk} />
      <Counts conversations={conversations} />
    </search>
  );
}

const orders = [
  ['last_activity_at_desc', 'Last activity'],
  ['created_at_desc', 'Newest first'],
  ['created_at_asc', 'Oldest first'],
  ['priority_desc', 'Priority'],
  ['waiting_since_asc', 'Waiting longest'],
] as const;

type Named = readonly { id: number; name: string }[] | undefined;
const named = (items: Named) => [
  ['0', 'All'] as const,
  ...(items ?? []).map(({ id, name }) => [String(id), name] as const),
];
/** Nobody knows who is gone while they are still being read. */
const goneFrom = (items: Named) => () => (items ? 'One that is gone' : '…');

function MoreFilters({ desk: { conversations, shelves } }: { desk: Desk }) {
  const filters = useStore(conversations.$filters);
  const inboxes = useShelf(shelves.inboxes);
  const teams = useShelf(shelves.teams);
  const labels = useShelf(shelves.labels) ?? [];
  const set = [filters.inboxId, filters.teamId, filters.label].filter(Boolean).length;
  return (
    <details class="more-filters">
      <summary>More filters{set > 0 && <span class="set-count"> · {set} set</span>}</summary>
      <div class="selects">
        <Choice
          label="Inbox"
          options={named(inboxes)}
          nameOther={goneFrom(inboxes)}
          value={String(filters.inboxId)}
          onChoose={(id) => conversations.setFilters({ inboxId: Number(id) })}
        />
        <Choice
          label="Team"
          options={named(teams)}
          nameOther={goneFrom(teams)}
          value={String(filters.teamId)}
          onChoose={(id) => conversations.setFilters({ teamId: Number(id) })}
        />
        <Choice
          label="Label"
          options={[['', 'All'], ...labels.map(({ title }) => [title, title] as const)]}
          value={filters.label}
          onChoose={(label) => conversations.setFilters({ label })}
        />
        <Choice
          label="Order"
          options={orders}
          value={filters.sort}
          onChoose={(sort) => conversations.setFilters({ sort })}
        />
      </div>
    </details>
  );
}

/** How many each choice would show; pressed, it is chosen. */
function Counts({ conversations }: { conversations: Desk['conversations'] }) {
  const counts = useStore(conversations.$counts);
  const { assignee: chosen } = useStore(conversations.$filters);
  const numbers = {
    all: counts?.all_count,
    me: counts?.mine_count,
    unassigned: counts?.unassigned_count,
    assigned: counts?.assigned_count,
  };
  return (
    <fieldset class="counts" aria-label="Counts">
      {assignees.map(([assignee, name]) => (
        <button
          key={assignee}
          type="button"
          aria-pressed={assignee === chosen}
          onClick={() => conversations.setFilters({ assignee })}
        >
          <b>{numbers[assignee] ?? '–'}</b> {name}
        </button>
      ))}
    </fieldset>
  );
}
