/**
 * Who the token belongs to. Gives the user's own `pubsub_token`, which opens the account's events, and never the
 * access token.
 */

import { membershipShape } from '../../domain/shapes-account.js';
import type { MembershipRow } from '../../store/rows.js';
import { profile } from '../answers/account.js';
import { endpoint } from '../define-endpoint.js';
import { userOf } from './scope.js';

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
      const accounts = await call.core.db.query<MembershipRow>(
        `select au.*, a.name as account_name from account_users au join accounts a on a.id = au.account_id
         where au.user_id = $1 order by au.account_id`,
        [user.id],
      );
      return call.http.json({
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
        accounts: accounts.map((account) =>
          membershipShape(call.core, { ...account, availability: user.availability }),
        ),
      });
    },
  }),
];
