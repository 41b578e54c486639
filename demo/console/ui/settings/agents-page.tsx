/** The people who answer. A new one's access token is shown once. */
import type { Desk } from '../../state/desk.js';
import type { Agent } from '../../wire/admin.js';
import { Avatar } from '../icons.js';
import { Select, TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { Secrets } from './secret.js';
import { type Ends, ShelfPage } from './shelf-page.js';

const roles = [
  ['agent', 'Agent: answers in their own inboxes'],
  ['administrator', 'Administrator: sees and changes everything'],
] as const;

export function AgentsPage({ desk }: { desk: Desk; path: readonly string[] }) {
  return (
    <ShelfPage
      title="Agents"
      lead="Who answers. Agents see the inboxes they belong to, administrators all of them."
      noun="agent"
      shelf={desk.shelves.agents}
      notices={desk.notices}
      nameOf={(agent) => agent.name}
      emptyWords=""
      goneWords="Their conversations stay, given to nobody, and their access token opens nothing any more."
      canRemove={(agent) => agent.id !== desk.profile.id}
      before={
        <Secrets
          words="The new agent signs in with this link. It is shown only now."
          told={desk.secrets.agents}
          write={(token) => `${location.origin}${location.pathname}#token=${token}`}
        />
      }
      row={(agent) => (
        <div class="person-row">
          <Avatar name={agent.name} seed={agent.id} online={agent.availability_status === 'online'} />
          <div>
            <p class="row-title">
              <bdi>{agent.name}</bdi>
              {agent.role === 'administrator' && <span class="chip">Administrator</span>}
            </p>
            <p class="row-more">
              <bdi>{agent.email}</bdi>
            </p>
          </div>
        </div>
      )}
      form={(agent, ends) => <AgentForm desk={desk} agent={agent} {...ends} />}
    />
  );
}

interface FormProps extends Ends {
  desk: Desk;
  agent: Agent | undefined;
}

function AgentForm({ desk, agent, onSaved, onCancel }: FormProps) {
  const form = useEdit(
    { name: agent?.name ?? '', email: agent?.email ?? '', role: agent?.role ?? 'agent' },
    'The agent was not saved',
    async (changed, values) => {
      if (agent) return desk.shelves.agents.change(agent.id, changed);
      const answer = await desk.shelves.agents.create(values);
      if (answer.ok && answer.value.access_token)
        desk.secrets.agents.tell(answer.value.name, answer.value.access_token);
      return answer;
    },
    (saved) => onSaved(saved.access_token && 'The link is shown once, above the list.'),
  );
  return (
    <FormBody form={form} button="Save agent" onCancel={onCancel}>
      <TextField label="Name" {...form.bind('name')} />
      {!agent && <TextField label="E-mail" type="email" {...form.bind('email')} />}
      <Select
        label="Role"
        choices={roles}
        value={form.values.role}
        onChange={(role) => form.set({ role: role === 'administrator' ? role : 'agent' })}
      />
    </FormBody>
  );
}
