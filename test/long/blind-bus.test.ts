/** A process that gets no answer of PostgreSQL for half of the time that events are kept: a minute, which is not waited for every day. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { useCluster, visitOn } from '../support/cluster.js';
import { eventually } from '../support/eventually.js';
import { listen } from '../support/service.js';

const here = useCluster();

test('who could not look for so long that events may have been swept away sends the sockets back to read again', async () => {
  const visitor = await visitOn(here.all[0]);
  const contact = await listen(here.all[1], { pubsub_token: visitor.pubsub_token });
  const client = new pg.Client({ connectionString: here.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('lock table bus_events in access exclusive mode');
  // Another one wrote, and later ones had it swept away.
  const write = 'insert into bus_events (writer, events) values ($1, $2) returning id';
  const { rows } = await client.query(write, ['other', '[]']);
  await client.query(write, ['other', '[]']);
  await client.query('delete from bus_events where id = $1', [rows[0].id]);
  const passed = 'select extract(epoch from clock_timestamp() - now())::float8 as s';
  const isLong = async () => (await client.query(passed)).rows[0].s > 62;
  await eventually('more than half of the time that events are kept has passed', isLong, 120_000);
  expect(contact.frames.some(({ type }) => type === 'disconnect')).toBe(false);
  await client.query('commit');
  await client.end();
  const told = await contact.frame((frame) => frame.type === 'disconnect');
  expect(told).toMatchObject({ reason: 'server_restart', reconnect: true });
  const again = await listen(here.all[1], { pubsub_token: visitor.pubsub_token });
  await here.all[0].call('POST', `${visitor.path}/messages`, { content: 'looking again' });
  await again.event('message.created', (data) => data.content === 'looking again');
  again.close();
});
