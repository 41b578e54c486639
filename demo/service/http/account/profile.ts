/**
 * Who the token belongs to, and whether they can be talked to. Gives the user's own `pubsub_token`, which opens the
 * account's events, and never the access token.
 */
import { z } from 'zod';
import { membershipShape } from '../../domain/shapes-account.js';
import { notFound } from '../../errors.js';
import { one } from '../../store/database.js';
import { availabilities, type MembershipRow, type UserRow } from '../../store/rows.js';
import { profile } from '../answers/account.js';
import { endpoint } from '../define-endpoint.js';
import type { Call } from '../endpoint.js';
import { rowId } from '../fields.js';
import { userOf } from './scope.js';

type AnyCall = Pick<Call<never, never>, 'core' | 'param' | 'http'>;

const accountsOf = ({ core }: AnyCall, user: UserRow) =>
  core.db.query<MembershipRow>(
    `select au.*, a.name as account_name from account_users au join accounts a on a.id = au.account_id
     where au.user_id = $1 order by au.account_id`,
    [user.id],
  );

const shape = ({ core }: AnyCall, user: UserRow, accounts: readonly MembershipRow[]) => ({
  id: user.id,
  account_id: accounts[0]?.account_id ?? null,
  name: user.name,
  available_name: user.display_name || user.name,
  display_name: user.display_name ?? '',
  email: user.email,
  uid: user.email,
  avatar_url: user.avatar_url,
  role: accounts[0]?.role ?? null,
  pubsub_token: user.pubsub_token,
  type: 'user',
  confirmed: true,
  provider: 'email',
  ui_settings: {},
  custom_attributes: {},
  accounts: accounts.map((account) => membershipShape(core, { ...account, availability: user.availability })),
});

const wish = {
  availability: z.enum(availabilities, 'must be online, busy or offline'),
  account_id: rowId.nullish(),
};

/** Within `profile`, as the reference's own page writes it, or as it is. */
const wishes = z
  .object({
    availability: wish.availability.optional(),
    account_id: wish.account_id,
    profile: z.object(wish).optional(),
  })
  .refine((body) => body.availability ?? body.profile, {
    error: 'is needed: online, busy or offline',
    path: ['availability'],
    params: { code: 'required' },
  });

export const profileEndpoints = [
  endpoint({
    methods: ['get'],
    path: '/api/v1/profile',
    told: {
      name: 'showProfile',
      summary: 'Who the token belongs to',
      result: { json: profile },
    },
    async answer(call) {
      const user = await userOf(call);
      return call.http.json(shape(call, user, await accountsOf(call, user)));
    },
  }),
  endpoint({
    methods: ['post'],
    path: '/api/v1/profile/availability',
    told: {
      name: 'changeAvailability',
      summary: 'Says whether one can be talked to',
      about:
        'It is the same in all accounts that one belongs to. As it is, or within profile. Who goes offline by themselves is shown so while they are away.',
      result: { json: profile },
      refuses: [404],
    },
    body: wishes,
    async answer(call) {
      const user = await userOf(call);
      const { profile: within, ...flat } = await call.body();
      const { availability, account_id: accountId } = within ?? flat;
      const accounts = await accountsOf(call, user);
      if (accountId && !accounts.some((account) => account.account_id === accountId))
        throw notFound(within ? 'profile.account_id' : 'account_id');
      const after = await one<UserRow>(
        call.core.db,
        'update users set availability = coalesce($2, availability) where id = $1 returning *',
        [user.id, availability ?? null],
      );
      return call.http.json(shape(call, after, accounts));
    },
  }),
];
