/** The rail and the page beside it. Knows where things are, not what. */

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Desk } from '../state/desk.js';
import type { Section } from '../state/place.js';
import { ContactsPage } from './contacts/contacts-page.js';
import { Avatar, Icon } from './icons.js';
import { InboxPage } from './inbox-page.js';
import { Unheard } from './kit/form.js';
import { ReportsPage } from './reports/reports-page.js';
import { SettingsPage } from './settings/settings-page.js';
import { listenShortcuts } from './shortcuts.js';
import { StatusLine } from './status-line.js';
import { PageName, useTitle } from './title.js';
import { usePaneFocus } from './use-pane-focus.js';
import { useStore } from './use-store.js';

const pages = [
  { section: 'inbox', label: 'Inbox', href: '#/', icon: 'inbox', forAll: true },
  { section: 'contacts', label: 'Contacts', href: '#/contacts', icon: 'contacts', forAll: true },
  { section: 'reports', label: 'Reports', href: '#/reports', icon: 'reports', forAll: false },
  { section: 'settings', label: 'Settings', href: '#/settings', icon: 'settings', forAll: true },
] as const satisfies readonly { section: Section; [more: string]: unknown }[];

const presences = [
  ['online', 'Online'],
  ['busy', 'Busy'],
  ['offline', 'Offline'],
] as const;

export function Shell({ desk, onSignOut }: { desk: Desk; onSignOut(): void }) {
  const place = useStore(desk.place.$place);
  const [pageName, setPageName] = useState('');
  useTitle(pageName, useStore(desk.$unread));
  useEffect(() => listenShortcuts(desk), [desk]);
  const pane = place.conversationId === undefined ? 'list' : place.details ? 'details' : 'thread';
  usePaneFocus(pane, place.conversationId);

  const tell = useCallback((problem: string) => desk.notices.problem('form', problem), [desk]);

  return (
    <div class="shell" data-section={place.section} data-pane={pane}>
      <Rail desk={desk} section={place.section} onSignOut={onSignOut} />
      <PageName.Provider value={setPageName}>
        <Unheard.Provider value={tell}>
          {place.section === 'inbox' && <InboxPage desk={desk} />}
          {place.section === 'contacts' && <ContactsPage desk={desk} path={place.path} />}
          {place.section === 'reports' && <ReportsPage desk={desk} />}
          {place.section === 'settings' && <SettingsPage desk={desk} path={place.path} />}
        </Unheard.Provider>
      </PageName.Provider>
      <StatusLine notices={desk.notices} />
    </div>
  );
}

function Rail({ desk, section, onSignOut }: { desk: Desk; section: Section; onSignOut(): void }) {
  const unread = useStore(desk.$unread);
  const link = useStore(desk.$link);
  const availability = useStore(desk.availability.$availability);
  const { profile, account } = desk;
  const name = profile.available_name || profile.name || '';
  return (
    <header class="rail">
      <p class="mark" title="Parley">
        <span class="hidden">Parley</span>
        <Icon name="bubbles" />
      </p>
      <nav aria-label="Pages">
        {pages
          .filter(({ forAll }) => forAll || desk.isAdministrator)
          .map((page) => (
            <a
              key={page.section}
              href={page.href}
              aria-current={page.section === section ? 'page' : undefined}
            >
              <Icon name={page.icon} />
              <span>{page.label}</span>
              {page.section === 'inbox' && unread > 0 && (
                <span class="rail-count">
                  {unread > 99 ? '99+' : unread}
                  <span class="hidden"> unread</span>
                </span>
              )}
            </a>
          ))}
      </nav>
      <div class="whoami">
        <p title={`${name} · ${account.name || `Account ${account.id}`}`}>
          <Avatar name={name} seed={profile.id} />
          <span class="link" data-shown={link === 'up' ? availability : ''} />
          <span class="hidden">
            {link === 'up' ? 'Live' : 'Not live'}, signed in as <bdi>{name}</bdi>
          </span>
        </p>
        <label
          class="presence"
          data-shown={availability}
          title="What visitors and colleagues are told of you"
        >
          <span class="hidden">Availability</span>
          <select
            value={availability}
            onChange={({ currentTarget }) => {
              const [chosen] = presences[currentTarget.selectedIndex] ?? [];
              if (chosen) void desk.availability.say(chosen);
            }}
          >
            {presences.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="quiet sign-out" onClick={onSignOut}>
          <Icon name="leave" />
          <span>Sign out</span>
        </button>
      </div>
    </header>
  );
}
