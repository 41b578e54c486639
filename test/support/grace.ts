/** Grace, the second agent of the first start. She is no administrator, and has no token before she is given one. */
import { setAccessToken } from '../../demo/service/domain/accounts.js';
import type { TestService } from './service.js';

export const graceToken = 'grace-token-for-tests';

/** From then on the service knows her by it. */
export const letGraceIn = ({ db }: Pick<TestService, 'db'>): Promise<unknown> =>
  setAccessToken(db, 2, 'test', graceToken);
