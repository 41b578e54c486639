/**
 * For whoever runs the service: is the process alive, may it get requests, and how is it doing. None of it needs a
 * token or tells a secret, but a balancer should keep `/metrics` to itself.
 */
import { z } from 'zod';
import type { Core } from '../core.js';
import { notReady } from '../errors.js';
import { inTime } from '../in-time.js';
import { endpoint } from './define-endpoint.js';

const ok = { json: z.strictObject({ status: z.literal('ok') }) };

async function mustAnswer({ db }: Core): Promise<void> {
  try {
    await inTime(db.query('select 1'));
  } catch {
    throw notReady('The database does not answer', 1);
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
