/**
 * For whoever runs the service: is the process alive, may it get requests, and how is it doing. None of it needs a
 * token or tells a secret, but a balancer should keep `/metrics` to itself.
 */
import { z } from 'zod';
import type { Core } from '../core.js';
import { notReady } from '../errors.js';
import { endpoint } from './read.js';

const ok = { json: z.strictObject({ status: z.literal('ok') }) };
const patienceMs = 2000;

async function mustAnswer({ db }: Core): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), patienceMs);
  });
  try {
    await Promise.race([db.query('select 1'), late]);
  } catch {
    throw notReady('The database does not answer', 1);
  } finally {
    clearTimeout(timer);
  }
}

const ready = {
  summary: 'Whether requests should come here: the database answers, and no end is near',
  result: ok,
  refuses: [503] as const,
};

export const healthEndpoints = [
  endpoint({
    methods: ['get'],
    path: '/healthz',
    told: { name: 'isAlive', summary: 'Whether the process is alive', result: ok },
    answer: async ({ http }) => http.json({ status: 'ok' }),
  }),
  ...(['/readyz', '/health'] as const).map((path) =>
    endpoint({
      methods: ['get'],
      path,
      told: { name: path === '/readyz' ? 'isReady' : 'isHealthy', ...ready },
      async answer({ core, http }) {
        if (core.isDraining()) throw notReady('The service is about to end', 1);
        await mustAnswer(core);
        return http.json({ status: 'ok' });
      },
    }),
  ),
  endpoint({
    methods: ['get'],
    path: '/metrics',
    told: {
      name: 'readMetrics',
      summary: 'What the process counts of itself, in the text form of Prometheus',
      result: { bytes: 'text/plain' },
    },
    async answer({ core, http }) {
      http.header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
      return http.body(await core.metrics.text());
    },
  }),
];
