/** How this browser calls the agent. Nothing of it is known to the service. */
import { useState } from 'preact/hooks';
import type { Desk } from '../../state/desk.js';
import { Switch } from '../kit/fields.js';
import { Card, PageFrame } from '../kit/page.js';
import { useStore } from '../use-store.js';

export function NotificationsPage({ desk: { caller } }: { desk: Desk; path: readonly string[] }) {
  const { notifications, sound } = useStore(caller.$wishes);
  const [problem, setProblem] = useState('');

  async function setNotifications(on: boolean) {
    setProblem('');
    setProblem(await caller.setNotifications(on));
  }

  return (
    <PageFrame
      title="Notifications"
      lead="How this browser calls you when a visitor writes and you look elsewhere."
    >
      <Card>
        <Switch
          label="Notifications of your browser"
          hint="Of your conversations, and of those that nobody has taken or whose agent cannot see them."
          value={notifications && caller.mayNotify()}
          onChange={(on) => void setNotifications(on)}
        />
        {problem && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <Switch
          label="Sound for new messages"
          hint="Two soft tones, once you have pressed anything on this page."
          value={sound}
          onChange={caller.setSound}
        />
      </Card>
    </PageFrame>
  );
}
