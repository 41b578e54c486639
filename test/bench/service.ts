/** One process of the service under load, with the limits of politeness out of the way. */
import { startService } from '../../demo/service/service.js';

const plenty = 1_000_000_000;

export async function run(): Promise<void> {
  const { DATA_DIR: dataDir = '', DATABASE_URL: databaseUrl = '' } = process.env;
  const limits = {
    requestsPerAddress: plenty,
    requestsPerContact: plenty,
    messagesPerConversation: plenty,
    socketsPerContact: plenty,
    commandsPerAddress: plenty,
  };
  const service = await startService({ dataDir, databaseUrl, limits });
  console.log(`Console    ${service.consoleUrl}`);
  process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)));
}
