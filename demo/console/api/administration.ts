/** What an account is made of: inboxes, people, words, rules, webhooks. One function per operation. */

import type { ZodType } from 'zod';
import * as z from 'zod';
import { making, mapped, ok, type Result } from '../errors.js';
import * as admin from '../wire/admin.js';
import { doneSchema } from '../wire/schemas.js';
import type { Ask } from './call.js';

/** Something that is listed, made, changed and deleted. */
export interface Resource<T> {
  list(): Promise<Result<T[]>>;
  create(fields: object): Promise<Result<T>>;
  change(id: number, fields: object): Promise<Result<T>>;
  remove(id: number): Promise<Result<unknown>>;
}

/** Who is to come and who is to go; whoever is of neither stays as they are. */
export interface PeopleChange {
  come: readonly number[];
  go: readonly number[];
}

async function changePeople(
  { come, go }: PeopleChange,
  tell: (method: 'POST' | 'DELETE', ids: readonly number[]) => Promise<Result<unknown>>,
): Promise<Result<unknown>> {
  const added = come.length ? await tell('POST', come) : ok(undefined);
  return added.ok && go.length ? tell('DELETE', go) : added;
}

export function administrationApi(ask: Ask) {
  /** @param listed, answered where the thing itself lies in an answer */
  function resource<T, L, A>(
    path: string,
    [listed, itemsOf]: readonly [ZodType<L>, (value: L) => T[]],
    [answered, itemOf]: readonly [ZodType<A>, (value: A) => T],
    query?: Record<string, string>,
  ): Resource<T> {
    return {
      list: async () => mapped(await ask(listed, path, query ? { query } : {}), itemsOf),
      create: async (body) => mapped(making(await ask(answered, path, { method: 'POST', body })), itemOf),
      change: async (id, body) =>
        mapped(await ask(answered, `${path}/${id}`, { method: 'PATCH', body }), itemOf),
      remove: (id) => ask(doneSchema, `${path}/${id}`, { method: 'DELETE' }),
    };
  }
  const bare = <T>(schema: ZodType<T>) => [z.array(schema), (value: T[]) => value] as const;
  const enveloped = <T>(schema: ZodType<T>) =>
    [z.object({ payload: z.array(schema) }), ({ payload }: { payload: T[] }) => payload] as const;
  const itself = <T>(schema: ZodType<T>) => [schema, (value: T) => value] as const;

  const definitions = (model: '0' | '1') =>
    resource('/custom_attribute_definitions', bare(admin.definitionSchema), itself(admin.definitionSchema), {
      attribute_model: model,
    });
  const logOf = (path: string) => ({
    list: (id: number, query: { state: string; page: number }) =>
      ask(admin.deliveryPageSchema, `${path}/${id}/deliveries`, { query }),
    retry: (id: number, deliveryId: number) =>
      ask(doneSchema, `${path}/${id}/deliveries/${deliveryId}/retry`, { method: 'POST', body: {} }),
  });
  const membersSchema = z.object({ payload: z.array(admin.agentSchema) });

  return {
    agents: resource('/agents', bare(admin.agentSchema), itself(admin.agentSchema)),
    teams: resource('/teams', bare(admin.teamSchema), itself(admin.teamSchema)),
    labels: resource('/labels', enveloped(admin.labelSchema), itself(admin.labelSchema)),
    canned: resource('/canned_responses', bare(admin.cannedSchema), itself(admin.cannedSchema)),
    inboxes: resource('/inboxes', enveloped(admin.inboxSchema), itself(admin.inboxSchema)),
    contactAttributes: definitions('1'),
    conversationAttributes: definitions('0'),
    rules: resource('/automation_rules', enveloped(admin.ruleSchema), [
      z.object({ payload: admin.ruleSchema }),
      ({ payload }: { payload: admin.Rule }) => payload,
    ]),
    webhooks: resource(
      '/webhooks',
      [
        z.object({ payload: z.object({ webhooks: z.array(admin.webhookSchema) }) }),
        ({ payload }: { payload: { webhooks: admin.Webhook[] } }) => payload.webhooks,
      ],
      itself(admin.webhookSchema),
    ),
    deliveries: logOf('/webhooks'),
    ruleDeliveries: logOf('/automation_rules'),
    teamMembers: (id: number) => ask(z.array(admin.agentSchema), `/teams/${id}/team_members`),
    changeTeamMembers: (id: number, change: PeopleChange) =>
      changePeople(change, (method, user_ids) =>
        ask(doneSchema, `/teams/${id}/team_members`, { method, body: { user_ids } }),
      ),
    inboxMembers: async (id: number) =>
      mapped(await ask(membersSchema, `/inbox_members/${id}`), ({ payload }) => payload),
    changeInboxMembers: (inbox_id: number, change: PeopleChange) =>
      changePeople(change, (method, user_ids) =>
        ask(doneSchema, '/inbox_members', { method, body: { inbox_id, user_ids } }),
      ),
    reportingEvents: (query: Record<string, string | number | undefined>) =>
      ask(admin.reportingPageSchema, '/reporting_events', { query }),
  };
}
