/**
 * The process: reads the environment, starts the service with the built pages, prints where they are, and leaves
 * politely when told to. Prints nothing secret but the console's link.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { requestGraceMs, type ServiceOptions, startService } from './service.js';

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//)
    .optional(),
  // What is named by it begins at its root: a path before that leads nowhere.
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, abort: true })
    .refine((url) => new URL(url).href === `${new URL(url).origin}/`)
    .transform((url) => new URL(url).origin)
    .optional(),
  DEMO_INBOX_IDENTIFIER: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .default('demo-inbox'),
  DEMO_API_ACCESS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/)
    .optional(),
  PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(0),
  LOG: z.enum(['silent', 'error', 'info']).default('error'),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['0', '1']).optional(),
});

const expected: Record<keyof z.infer<typeof environment>, string> = {
  PORT: 'a port between 0 and 65535',
  HOST: 'an address to listen on, such as 127.0.0.1',
  DATA_DIR: 'a folder',
  DATABASE_URL: 'an address that begins with postgres://',
  PUBLIC_URL: 'the http or https address that the world knows, without a path',
  DEMO_INBOX_IDENTIFIER: 'up to 100 letters, digits, "-" and "_"',
  DEMO_API_ACCESS_TOKEN: '16 to 200 visible characters without spaces',
  PROXIES: 'how many proxies of yours stand before the service, 10 at most',
  DRAIN_SECONDS: 'a number of seconds up to 300',
  LOG: 'silent, error or info',
  WEBHOOK_ALLOW_PRIVATE: '1 to let webhooks reach private addresses, or 0',
};

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function options(): ServiceOptions {
  // An empty variable is one that is not set.
  const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const { success, data, error } = environment.safeParse(set);
  if (!success) {
    const name = environment.keyof().safeParse(error.issues[0]?.path[0]).data;
    return fail(name ? `${name} must be ${expected[name]}.` : 'The environment is not usable.');
  }
  const built = (folder: string) => fileURLToPath(new URL(folder, import.meta.url));
  return {
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    inboxIdentifier: data.DEMO_INBOX_IDENTIFIER,
    log: data.LOG,
    proxies: data.PROXIES,
    onLost: () =>
      fail(
        `Another service has taken ${data.DATA_DIR} while this one was held up: run one of them, or give each a DATA_DIR.`,
      ),
    drainMs: data.DRAIN_SECONDS * 1000,
    webhooks: {
      allowPrivate: data.WEBHOOK_ALLOW_PRIVATE ? data.WEBHOOK_ALLOW_PRIVATE === '1' : isHome(data),
    },
    ...(data.DATABASE_URL === undefined ? {} : { databaseUrl: data.DATABASE_URL }),
    ...(data.PUBLIC_URL === undefined ? {} : { publicUrl: data.PUBLIC_URL }),
    ...(data.DEMO_API_ACCESS_TOKEN === undefined ? {} : { apiAccessToken: data.DEMO_API_ACCESS_TOKEN }),
    // Beside this file once built: dist/demo/service/main.js. Another build begins by emptying all three.
    statics: [
      { path: '/', directory: built('../site'), held: true },
      { path: '/agent', directory: built('../console'), held: true },
      { path: '/', directory: built('../../cdn'), held: true, remembered: true },
    ],
  };
}

/** Nobody but this machine reaches it: whoever may name an address for webhooks is at home here. */
const isHome = ({ HOST, PUBLIC_URL, PROXIES }: z.infer<typeof environment>) =>
  ['127.0.0.1', '::1', 'localhost'].includes(HOST) && PUBLIC_URL === undefined && PROXIES === 0;

const isIn = (folder: string, path: string) => `${resolve(path)}/`.startsWith(`${resolve(folder)}/`);

/** Not of this machine, or a name that is none: the database's own are explained where they are met. */
const noAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

function sentenceFor(error: unknown, { port, host, dataDir }: ServiceOptions): string {
  const said = error instanceof Error ? error.message : 'The service could not start.';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const path = error instanceof Error && 'path' in error ? String(error.path) : undefined;
  if (path !== undefined && (isIn(dataDir, path) || isIn(path, dataDir)))
    return `${dataDir} cannot be used (${code}): set DATA_DIR to a folder in which this user may write.`;
  if (code === 'EADDRINUSE') return `Port ${port} is in use: stop what uses it, or set PORT to another one.`;
  if (code === 'EACCES') return `This user may not listen on port ${port}: set PORT to 1024 or more.`;
  if (code === '42501')
    return `The database refuses what the service needs (${said}): the user of DATABASE_URL must own it.`;
  if (noAddress.includes(String(code)))
    return `${host} is no address of this machine: set HOST to another one.`;
  return said;
}

const asked = options();
/** Beyond what an end may take: whoever asks a database that hangs is never answered. */
const endMs = (asked.drainMs ?? 0) + requestGraceMs + 5000;
// Of a cluster that is no more, with nobody to tell it.
const vanish = () => process.exit(1);
process.once('disconnect', vanish);
const service = await startService(asked).catch((error: unknown) => fail(sentenceFor(error, asked)));
// A terminal and npm may both say it, and a terminal that is closed says it in its own way: the second time must not end
// the end.
function leave(): void {
  setTimeout(() => process.exit(1), endMs).unref();
  service.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave);
process.off('disconnect', vanish);
process.once('disconnect', leave);
console.log(`Host page  ${service.url}/`);
console.log(`Console    ${service.consoleUrl}`);
