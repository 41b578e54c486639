/** How three processes on one PostgreSQL tell each other what happened, when the connection or its numbers fail. */
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { useCluster, visitOn } from '../support/cluster.js';
import { eventually } from '../support/eventually.js';
import { hasPostgres } from '../support/processes.js';
import { listen, startMs } from '../support/service.js';

describe.skipIf(!hasPostgres)('three processes on one PostgreSQL', () => {
  const here = useCluster();

  async function cutListening(): Promise<void> {
    const client = new pg.Client({ connectionString: here.databaseUrl });
    await client.connect();
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %' and pid <> pg_backend_pid()`,
    );
    await client.end();
  }

  test('a cut connection to PostgreSQL sends the sockets back to read again, and all goes on', async () => {
    const visitor = await visitOn(here.all[0]);
    const contact = await listen(here.all[0], { pubsub_token: visitor.pubsub_token });
    await cutListening();
    const told = await contact.frame((frame) => frame.type === 'disconnect');
    expect(told).toMatchObject({ reason: 'server_restart', reconnect: true });
    const again = await listen(here.all[0], { pubsub_token: visitor.pubsub_token });
    await here.all[1].call('POST', `${visitor.path}/messages`, { content: 'after the cut' });
    await again.event('message.created', (data) => data.content === 'after the cut');
    again.close();
  });

  test('what was under way while the connection was cut is heard when it is done', async () => {
    const visitor = await visitOn(here.all[0]);
    const pairs = 'select id from contact_inboxes where source_id = $1';
    const client = new pg.Client({ connectionString: here.databaseUrl });
    await client.connect();
    const topic = `pair:${(await client.query(pairs, [visitor.source_id])).rows[0].id}`;
    await client.query('begin');
    await client.query('insert into bus_events (writer, events) values ($1, $2)', [
      'slow',
      JSON.stringify([{ topics: [topic], name: 'message.created', data: { content: 'slow' } }]),
    ]);
    // Later by number, done before it.
    await here.all[1].call('POST', `${visitor.path}/messages`, { content: 'quick' });
    const contact = await listen(here.all[0], { pubsub_token: visitor.pubsub_token });
    await cutListening();
    await contact.frame((frame) => frame.type === 'disconnect');
    const again = await listen(here.all[0], { pubsub_token: visitor.pubsub_token });
    await client.query('commit');
    await client.end();
    await again.event('message.created', (data) => data.content === 'slow');
    again.close();
  });

  test(
    'the sweep leaves the number to go on from',
    async () => {
      const visitor = await visitOn(here.all[0]);
      await here.all[0].call('POST', `${visitor.path}/messages`, { content: 'x' });
      const client = new pg.Client({ connectionString: here.databaseUrl });
      await client.connect();
      const count = async (which: string) =>
        Number((await client.query(`select count(*) from bus_events where ${which}`)).rows[0].count);
      const { rows } = await client.query(
        `update bus_events set created_at = now() - interval '1 hour' returning id`,
      );
      const newest = Math.max(...rows.map(({ id }) => Number(id)));
      // Twice a minute; one that was written in this very moment is two minutes old by then.
      await eventually('the old ones are gone', async () => !(await count(`id < ${newest}`)), 180_000);
      expect(await count(`id >= ${newest}`)).toBeGreaterThan(0);
      await client.end();
    },
    2 * startMs,
  );

  test('numbers far ahead of those known send the sockets back to read again, and all goes on', async () => {
    const visitor = await visitOn(here.all[0]);
    const contact = await listen(here.all[1], { pubsub_token: visitor.pubsub_token });
    const client = new pg.Client({ connectionString: here.databaseUrl });
    await client.connect();
    await client.query(`select setval(pg_get_serial_sequence('bus_events', 'id'), 50000000)`);
    await client.end();
    await here.all[0].call('POST', `${visitor.path}/messages`, { content: 'far ahead' });
    const told = await contact.frame((frame) => frame.type === 'disconnect');
    expect(told).toMatchObject({ reason: 'server_restart', reconnect: true });
    const again = await listen(here.all[1], { pubsub_token: visitor.pubsub_token });
    await here.all[0].call('POST', `${visitor.path}/messages`, { content: 'after the jump' });
    await again.event('message.created', (data) => data.content === 'after the jump');
    again.close();
  });

  test('numbers that begin anew, as after a crash of the database, send the sockets back to read again', async () => {
    const visitor = await visitOn(here.all[0]);
    const contact = await listen(here.all[1], { pubsub_token: visitor.pubsub_token });
    await here.all[0].call('POST', `${visitor.path}/messages`, { content: 'before' });
    await contact.event('message.created', (data) => data.content === 'before');
    const client = new pg.Client({ connectionString: here.databaseUrl });
    await client.connect();
    await client.query(
      `truncate bus_events; select setval(pg_get_serial_sequence('bus_events', 'id'), 1, false)`,
    );
    await client.end();
    await contact.frame((frame) => frame.type === 'disconnect');
    const again = await listen(here.all[1], { pubsub_token: visitor.pubsub_token });
    await here.all[0].call('POST', `${visitor.path}/messages`, { content: 'begun anew' });
    await again.event('message.created', (data) => data.content === 'begun anew');
    again.close();
  });

  test('an event that commits while the database holds up everybody for longer than it is waited for is told', async () => {
    const visitor = await visitOn(here.all[0]);
    const contact = await listen(here.all[1], { pubsub_token: visitor.pubsub_token });
    const client = new pg.Client({ connectionString: here.databaseUrl });
    await client.connect();
    const pairs = 'select id from contact_inboxes where source_id = $1';
    const topic = `pair:${(await client.query(pairs, [visitor.source_id])).rows[0].id}`;
    await client.query('begin');
    await client.query('insert into bus_events (writer, events) values ($1, $2)', [
      'slow',
      JSON.stringify([{ topics: [topic], name: 'message.created', data: { content: 'held up' } }]),
    ]);
    await here.all[0].call('POST', `${visitor.path}/messages`, { content: 'not held up' });
    await contact.event('message.created', (data) => data.content === 'not held up');
    await client.query('lock table bus_events in access exclusive mode; select pg_sleep(32)');
    await client.query('commit');
    await client.end();
    await contact.event('message.created', (data) => data.content === 'held up');
    contact.close();
  });
});
