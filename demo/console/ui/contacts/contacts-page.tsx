/** Contacts: a list with search, order and pages, or one of them. */
import { useEffect, useState } from 'preact/hooks';
import { type ContactSort, contactSorts } from '../../api/contacts.js';
import { $now } from '../../state/clock.js';
import type { Desk } from '../../state/desk.js';
import { idIn } from '../../state/place.js';
import type { Contact } from '../../wire/schemas.js';
import { Avatar, Icon } from '../icons.js';
import { Empty, PageFrame, Pager, Problem } from '../kit/page.js';
import { useAnswer, useLast } from '../kit/use-answer.js';
import { ago, fullTime } from '../times.js';
import { useStore } from '../use-store.js';
import { ContactCard } from './contact-card.js';
import { NewContact } from './new-contact.js';

const PAGE = 15;
const PAUSE_MS = 250;

export function ContactsPage({ desk, path }: { desk: Desk; path: readonly string[] }) {
  const id = idIn(path[0]);
  return (
    <main class="page">
      {id === undefined ? <ContactList desk={desk} /> : <ContactCard key={id} desk={desk} id={id} />}
    </main>
  );
}

const columns: Record<(typeof contactSorts)[number], string> = {
  name: 'Name',
  email: 'E-mail',
  phone_number: 'Phone',
  last_activity_at: 'Last activity',
};

function ContactList({ desk }: { desk: Desk }) {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<ContactSort | ''>('-last_activity_at');
  const [page, setPage] = useState(1);
  const [making, setMaking] = useState(false);
  const found = useAnswer(`${search}|${sort}|${page}`, () => desk.api.contacts.list({ search, sort, page }));
  const count = found.value?.meta.count;
  const known = useLast(count) ?? 0;

  useEffect(() => {
    const words = typed.trim();
    if (words === search) return;
    const timer = setTimeout(() => {
      setSearch(words);
      setPage(1);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, search]);

  return (
    <PageFrame
      title="Contacts"
      lead="Everybody who left an e-mail address, a phone number or an identifier."
      actions={
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          <Icon name="plus" /> New contact
        </button>
      }
    >
      <search class="toolbar">
        <div class="search-box">
          <Icon name="search" />
          <input
            id="search"
            type="search"
            aria-label="Search contacts"
            placeholder="Name, e-mail or phone"
            dir="auto"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </div>
        <p role="status" class="found">
          {count === undefined ? '' : count === 1 ? '1 contact' : `${count} contacts`}
        </p>
      </search>
      {found.problem && <Problem text={found.problem} onRetry={found.reload} />}
      {count === 0 && (
        <Empty title={search ? 'Nobody is called that' : 'Nobody yet'}>
          {search
            ? 'A search looks at names, e-mail addresses, phone numbers and identifiers.'
            : 'Whoever leaves an e-mail address in the chat appears here.'}
        </Empty>
      )}
      {count !== 0 && known > 0 && (
        <div class="table-frame">
          <table class="table contacts-table">
            <thead>
              <tr>
                {contactSorts.map((key) => (
                  <SortHead key={key} name={key} sort={sort} onSort={setSort} />
                ))}
              </tr>
            </thead>
            <tbody>
              {found.value?.payload.map((contact) => (
                <ContactRow key={contact.id} contact={contact} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager page={page} pages={Math.ceil(known / PAGE)} onPage={setPage} what="Pages of contacts" />
      {making && (
        <NewContact
          desk={desk}
          onClose={() => setMaking(false)}
          onMade={(contact) => desk.place.goTo(`#/contacts/${contact.id}`)}
        />
      )}
    </PageFrame>
  );
}

interface SortHeadProps {
  name: (typeof contactSorts)[number];
  sort: ContactSort | '';
  onSort(sort: ContactSort): void;
}

function SortHead({ name, sort, onSort }: SortHeadProps) {
  const up = sort === name;
  const down = sort === `-${name}`;
  return (
    <th scope="col" class={name} aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <button type="button" onClick={() => onSort(up ? `-${name}` : name)}>
        {columns[name]}
        <span aria-hidden="true" class="sort-mark">
          {up ? '↑' : down ? '↓' : ''}
        </span>
      </button>
    </th>
  );
}

function ContactRow({ contact }: { contact: Contact }) {
  const now = useStore($now);
  const name = contact.name || contact.email || contact.phone_number || `Contact ${contact.id}`;
  const atMs = contact.last_activity_at * 1000;
  return (
    <tr>
      <th scope="row" class="name">
        <Avatar name={name} seed={contact.id} picture={contact.thumbnail} />
        <a href={`#/contacts/${contact.id}`}>
          <bdi>{name}</bdi>
        </a>
        {contact.blocked && <span class="chip">Blocked</span>}
      </th>
      <td class="email">
        <bdi>{contact.email || '–'}</bdi>
      </td>
      <td class="phone_number">{contact.phone_number || '–'}</td>
      <td class="last_activity_at">{atMs ? <time title={fullTime(atMs)}>{ago(atMs, now)}</time> : '–'}</td>
    </tr>
  );
}
