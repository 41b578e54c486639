/** The log, where it cannot be written. */
import { existsSync } from 'node:fs';
import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createLog } from '../../demo/service/log.js';
import { startTestService, visit } from '../support/service.js';

const noRoom = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

test('what is stored is answered while the log has no room', async () => {
  const service = await startTestService({
    log: 'info',
    logTo: {
      write() {
        throw noRoom();
      },
    },
  });
  const visitor = await visit(service);
  const said = await service.call('POST', `${visitor.path}/messages`, { content: 'not in the log' });
  expect(said.status).toBe(200);
  await service.end();
});

test('a stream that fails later fails nothing else', async () => {
  const full = new Writable({ write: (_chunk, _encoding, done) => done(noRoom()) });
  const closed = new Promise<void>((resolve) => void full.once('close', resolve));
  createLog('info', full).info('a line');
  await closed;
});

test.skipIf(!existsSync('/dev/full'))('a full disk is no end of the process', () => {
  const log = createLog('info', pino.destination({ dest: '/dev/full', sync: true }));
  for (let line = 0; line < 3; line += 1) log.info('a line');
});
