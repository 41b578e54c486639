/** The people who answer in this account. Everybody sees them; administrators take them in and let them go. */
import { z } from 'zod';
import { agentsOf } from '../../domain/agent-rows.js';
import { addAgent, changeAgent, removeAgent } from '../../domain/agents.js';
import { agentShape } from '../../domain/shapes-account.js';
import { notFound } from '../../errors.js';
import { type AgentRow, availabilities, roles } from '../../store/rows.js';
import { agent as shape } from '../answers/account.js';
import { newAgent } from '../answers/organisation.js';
import { endpoint } from '../define-endpoint.js';
import type { Call } from '../endpoint.js';
import { emailText, flag, idOf, title } from '../fields.js';
import { accountPath, administratorOf, agentOf } from './scope.js';

const agentPath = `${accountPath}/agents/:agent_id`;
const role = z.enum(roles);
const fields = {
  availability: z.enum(availabilities).optional(),
  auto_offline: flag.optional(),
};

async function colleagueOf(
  call: Pick<Call<never, never>, 'core' | 'param' | 'http'>,
): Promise<{ agent: AgentRow; colleague: AgentRow }> {
  const agent = await administratorOf(call);
  const id = idOf(call.param('agent_id'));
  const [colleague] = id === undefined ? [] : await agentsOf(call.core.db, agent.account_id, [id]);
  if (!colleague) throw notFound('agent_id');
  return { agent, colleague };
}

export const agentEndpoints = [
  endpoint({
    methods: ['get'],
    path: `${accountPath}/agents`,
    told: {
      name: 'listAgents',
      summary: 'The people who answer in this account',
      result: { json: z.array(shape) },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const agents = await agentsOf(call.core.db, agent.account_id);
      return call.http.json(agents.map((one) => agentShape(call.core, one)));
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${accountPath}/agents`,
    told: {
      name: 'addAgent',
      summary: 'Takes a person into the account',
      result: { json: newAgent },
      refuses: [403],
    },
    body: z.object({ name: title, email: emailText, role: role.default('agent'), ...fields }),
    async answer(call) {
      const { account_id: accountId } = await administratorOf(call);
      const { agent, accessToken } = await addAgent(call.core.db, accountId, await call.body());
      return call.http.json({
        ...agentShape(call.core, agent),
        ...(accessToken === undefined ? {} : { access_token: accessToken }),
      });
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: agentPath,
    told: {
      name: 'changeAgent',
      summary: 'Changes a person of the account',
      about: 'Name and state of somebody who is in other accounts, too, are for themselves to change.',
      result: { json: shape },
      refuses: [403],
    },
    body: z.object({ name: title.optional(), role: role.optional(), ...fields }),
    async answer(call) {
      const { agent, colleague } = await colleagueOf(call);
      const changed = await changeAgent(call.core, agent, colleague.id, await call.body());
      return call.http.json(agentShape(call.core, changed));
    },
  }),
  endpoint({
    methods: ['delete'],
    path: agentPath,
    told: {
      name: 'removeAgent',
      summary: 'Lets a person go',
      result: { empty: true },
      refuses: [403, 422],
    },
    async answer(call) {
      const { agent, colleague } = await colleagueOf(call);
      await removeAgent(call.core, agent, colleague.id);
      return call.http.body(null, 200);
    },
  }),
];
