/** A second account, whose people and inbox those of the first must not reach. It does not know what is tried there. */
import {
  createAccount,
  createInbox,
  createUser,
  setAccessToken,
} from '../../demo/service/domain/accounts.js';
import type { TestService } from './service.js';

/** Of its only agent, an administrator. */
export const otherToken = 'token-of-another-account';
/** Where visitors of its only inbox write. */
export const otherContacts = '/public/api/v1/inboxes/other-inbox/contacts';

export async function addOtherAccount({ db }: TestService): Promise<void> {
  const account = await createAccount(db, 'Other');
  const olga = {
    name: 'Olga Other',
    displayName: 'Olga',
    email: 'olga@other.example',
    role: 'administrator',
  } as const;
  await setAccessToken(db, await createUser(db, account, olga), 'console', otherToken);
  await createInbox(db, account, { identifier: 'other-inbox', name: 'Other' });
}
