/** One row of each kind that a path of the account API can name, made through that API. */
import type { TestService } from './service.js';

const account = '/api/v1/accounts/1';

/** @returns path parameter → id; agent 2 and inbox 1 are of the first start */
export async function oneOfEach(service: TestService): Promise<Record<string, number>> {
  const post = async (path: string, body: object) =>
    Object((await service.agent('POST', `${account}/${path}`, body)).body);
  const id = async (path: string, body: object) => Number((await post(path, body)).id);
  const rule = await post('automation_rules', {
    name: 'Known',
    event_name: 'conversation_opened',
    conditions: [],
    actions: [{ action_name: 'add_label', action_params: ['known'] }],
  });
  return {
    agent_id: 2,
    inbox_id: 1,
    team_id: await id('teams', { name: 'Known' }),
    label_id: await id('labels', { title: 'known' }),
    canned_response_id: await id('canned_responses', { short_code: 'known', content: 'Known' }),
    custom_attribute_definition_id: await id('custom_attribute_definitions', {
      attribute_display_name: 'Known',
      attribute_key: 'known',
      attribute_model: 1,
    }),
    webhook_id: await id('webhooks', {
      url: 'https://hooks.example/known',
      subscriptions: ['webwidget_triggered'],
    }),
    automation_rule_id: Number(Object(rule.payload).id),
  };
}
