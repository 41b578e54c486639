/** Settings: the list of them beside the chosen one. Knows which there are, not what is in them. */
import type { Desk } from '../../state/desk.js';
import { Icon } from '../icons.js';
import { PageFrame } from '../kit/page.js';
import { AgentsPage } from './agents-page.js';
import { AttributesPage } from './attributes-page.js';
import { AutomationPage } from './automation-page.js';
import { CannedPage } from './canned-page.js';
import { InboxesPage } from './inboxes-page.js';
import { LabelsPage } from './labels-page.js';
import { NotificationsPage } from './notifications-page.js';
import { TeamsPage } from './teams-page.js';
import { WebhooksPage } from './webhooks-page.js';

const pages = [
  {
    name: 'inboxes',
    label: 'Inboxes',
    icon: 'inbox',
    about: 'Greeting, hours, survey, identity',
    page: InboxesPage,
  },
  {
    name: 'automation',
    label: 'Automation',
    icon: 'bolt',
    about: 'What happens by itself',
    page: AutomationPage,
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    icon: 'hook',
    about: 'Events for your own systems',
    page: WebhooksPage,
  },
  {
    name: 'attributes',
    label: 'Attributes',
    icon: 'list',
    about: 'What you want to know',
    page: AttributesPage,
  },
  { name: 'labels', label: 'Labels', icon: 'tag', about: 'What conversations are about', page: LabelsPage },
  {
    name: 'canned',
    label: 'Canned answers',
    icon: 'text',
    about: 'Words you say often',
    page: CannedPage,
    forAll: true,
  },
  { name: 'teams', label: 'Teams', icon: 'team', about: 'Who works together', page: TeamsPage },
  { name: 'agents', label: 'Agents', icon: 'person', about: 'Who answers', page: AgentsPage },
  {
    name: 'notifications',
    label: 'Notifications',
    icon: 'bell',
    about: 'How this browser calls you',
    page: NotificationsPage,
    forAll: true,
  },
] as const;

export function SettingsPage({ desk, path: [name, ...rest] }: { desk: Desk; path: readonly string[] }) {
  const allowed = pages.filter((page) => desk.isAdministrator || 'forAll' in page);
  const chosen = allowed.find((page) => page.name === name);
  return (
    <div class="settings" data-chosen={chosen ? 'yes' : 'no'}>
      <nav class="settings-nav" aria-label="Settings">
        <p class="settings-title">Settings</p>
        {allowed.map((page) => (
          <a
            key={page.name}
            href={`#/settings/${page.name}`}
            aria-current={page === chosen ? 'page' : undefined}
          >
            <Icon name={page.icon} />
            <span>
              {page.label}
              <small>{page.about}</small>
            </span>
          </a>
        ))}
      </nav>
      <main class="page">
        {chosen ? (
          <>
            <a class="back-link to-settings" href="#/settings">
              <Icon name="back" />
              Settings
            </a>
            <chosen.page key={`${chosen.name}/${rest.join('/')}`} desk={desk} path={rest} />
          </>
        ) : (
          <PageFrame title="Settings" lead="Choose what to change.">
            {null}
          </PageFrame>
        )}
      </main>
    </div>
  );
}
