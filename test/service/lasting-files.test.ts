/** Files that a stored message names, after the machine has lost its power: what was asked of the disk, and when. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { form } from '../support/files.js';
import { type Built, buildService, launch } from '../support/processes.js';
import { inboxPath, startMs } from '../support/service.js';

let built: Built;
let folder: string;
beforeAll(async () => {
  [built, folder] = await Promise.all([buildService(), mkdtemp(join(tmpdir(), 'parley-lasting-'))]);
}, startMs);
afterAll(async () => {
  await built.remove();
  await rm(folder, { recursive: true, force: true });
});

const traced = z.object({
  traceEvents: z.array(
    z.object({
      ph: z.string(),
      name: z.string(),
      args: z.object({ path: z.string().optional() }).optional(),
    }),
  ),
});
const pair = z.object({ source_id: z.string() });
const withId = z.looseObject({ id: z.number() });

test(
  'the bytes of files are on the disk before they have their place, and the place before they are named',
  async () => {
    const trace = join(folder, 'trace.json');
    const running = await launch(built.main, [], {
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      NODE_OPTIONS: `--trace-event-categories=node.fs.async --trace-event-file-pattern=${trace}`,
    });
    const { source_id } = pair.parse((await running.call('POST', `${inboxPath}/contacts`, {})).body);
    const path = `${inboxPath}/contacts/${source_id}/conversations`;
    const { id } = withId.parse((await running.call('POST', path, {})).body);
    const files = form([
      ['a.txt', 'first'],
      ['b.txt', 'second'],
    ]);
    expect((await running.call('POST', `${path}/${id}/messages`, files)).status).toBe(200);
    await running.end('SIGTERM');

    const { traceEvents } = traced.parse(JSON.parse(await readFile(trace, 'utf8')));
    const began = traceEvents.findIndex(({ args }) => args?.path?.includes('/uploads/waiting/'));
    const steps = traceEvents.slice(began).map(({ ph, name }) => `${ph === 'b' ? 'begin' : 'end'} ${name}`);
    const placed = steps.filter((step) => /fsync|rename/.test(step));
    const first = placed.indexOf('begin rename');
    expect(placed.slice(0, first).filter((step) => step === 'end fsync')).toHaveLength(2);
    expect(placed.slice(first)).toEqual([
      ...['begin rename', 'end rename', 'begin rename', 'end rename'],
      ...['begin fsync', 'end fsync'],
    ]);
  },
  startMs,
);
