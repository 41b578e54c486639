/** `PARLEY_SEED` replays from a seed that failed. */
import { campaign } from '../support/campaign.js';

campaign(2_000, Number(process.env.PARLEY_SEED ?? 100_000), 14_400_000);
