/** `PARLEY_SEED` replays from a seed that failed. */
import { campaign } from '../support/campaign.js';

campaign(40, Number(process.env.PARLEY_SEED ?? 1_000), 600_000);
