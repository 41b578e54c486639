/** A program of somebody who embeds the service: a start that fails is told, and nothing is done beyond that. */
import { startService } from '../../demo/service/service.js';

const { DATA_DIR = '', DATABASE_URL, PORT } = process.env;
await startService({
  dataDir: DATA_DIR,
  port: Number(PORT),
  ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL }),
}).catch((error: unknown) => console.log(String(error)));
