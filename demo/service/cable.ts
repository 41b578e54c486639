/**
 * The ActionCable protocol (`actioncable-v1-json`) over WebSocket: welcome, ping, subscribe, confirm, reject,
 * message, disconnect. Who may hear what is `room.ts`'s; where events come from is the bus's.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Core } from './core.js';
import { nothingThere, Refusal, refuseMethod, tooMany } from './errors.js';
import { readPairsMoved, readScopeChanged, type ServiceEvent } from './events.js';
import type { Addresses } from './http/addresses.js';
import { refuseOn } from './http/server.js';
import { givingBack, offersSocket } from './http/upgrades.js';
import { errorFacts, type Log } from './log.js';
import { rateLimit } from './rate-limit.js';
import { beat, enterRoom, type Member, roomIdentifier } from './room.js';
import { countSocketBacklog, type Reader } from './socket-backlog.js';

const subprotocol = 'actioncable-v1-json';
const pingMs = 3000;
/** Everybody is pinged every `pingMs`, but not everybody at once: ten thousand frames are a tenth of a second. */
const pingGroups = 30;
const largestFrame = 16 * 1024;
/** Each piece of a command takes a hundred bytes and more to be kept until the last one has come, however small it is. */
const mostFragments = 16;
/** Of one frame as the line brings it, which is hardly ever less than half a kilobyte at a time. */
const mostChunks = 64;
const mostSubscriptions = 10;
/** Commands not yet obeyed; a client that sends faster is none of ours. */
const mostWaiting = 100;
const goingAway = 1001;

const command = z.object({
  command: z.enum(['subscribe', 'unsubscribe', 'message']),
  identifier: z.string(),
  data: z.string().optional(),
});
const action = z.object({ action: z.string() });

const noHandshake = (message: string) =>
  new Refusal(400, message, [{ field: 'handshake', message, code: 'invalid_handshake' }], {
    'Sec-WebSocket-Version': '13, 8',
  });

interface Connection {
  socket: WebSocket;
  reader: Reader;
  /** By identifier, byte for byte as the client wrote it. */
  members: Map<string, Member>;
  /** Commands are obeyed one after another. */
  work: Promise<void>;
  waiting: number;
  pingGroup: number;
  /** When it was last found to be in a room, or opened. */
  heardAt: number;
}

function parse<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export interface Cable {
  /** Tells everybody to come back later, and closes; cuts who does not leave in time. */
  stop(graceMs: number): Promise<void>;
}

export function createCable(server: Server, core: Core, addresses: Addresses, log: Log): Cable {
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: largestFrame,
    maxFragments: mostFragments,
    maxBufferedChunks: mostChunks,
    handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
  });
  const connections = new Set<Connection>();
  let opened = 0;
  /** How often anybody's scope changed, or name. */
  let changes = 0;
  const byTopic = new Map<string, Map<Connection, Set<string>>>();

  core.metrics.gauge('parley_sockets', 'Open sockets', () => connections.size);

  const backlog = countSocketBacklog(core.limits);
  core.metrics.gauge(
    'parley_socket_unread_bytes',
    'What readers of sockets have not taken yet',
    backlog.bytes,
  );

  const send = ({ reader }: Connection, frame: object) => reader.send(JSON.stringify(frame));

  function disconnect(connection: Connection, reason: string, reconnect: boolean): void {
    send(connection, { type: 'disconnect', reason, reconnect });
    connection.socket.close(goingAway);
  }

  /** The client comes back, reads by REST what it may read now, and is let in for that. */
  function dismiss(connection: Connection, reconnect: boolean): void {
    for (const identifier of [...connection.members.keys()]) leave(connection, identifier);
    disconnect(connection, 'remote', reconnect);
  }

  function leave(connection: Connection, identifier: string): void {
    for (const topic of connection.members.get(identifier)?.topics ?? []) {
      const listeners = byTopic.get(topic);
      const identifiers = listeners?.get(connection);
      identifiers?.delete(identifier);
      if (identifiers?.size === 0) listeners?.delete(connection);
      if (listeners?.size === 0) byTopic.delete(topic);
    }
    connection.members.delete(identifier);
  }

  function join(connection: Connection, identifier: string, member: Member): void {
    connection.members.set(identifier, member);
    for (const topic of member.topics) {
      const listeners = byTopic.get(topic) ?? new Map<Connection, Set<string>>();
      byTopic.set(topic, listeners);
      listeners.set(connection, (listeners.get(connection) ?? new Set()).add(identifier));
      // A map remembers its order, so the first one has been here longest.
      const [oldest] = listeners.keys();
      if (!member.isAgent && listeners.size > core.limits.socketsPerContact && oldest) dismiss(oldest, false);
    }
  }

  async function subscribe(connection: Connection, identifier: string): Promise<void> {
    if (connection.members.has(identifier)) return;
    const asked = parse(roomIdentifier, identifier);
    const isFull = connection.members.size >= mostSubscriptions;
    let member: Member | undefined;
    let seen: number;
    do {
      seen = changes;
      member = asked && !isFull ? await enterRoom(core, asked) : undefined;
      // Who changes while we look must not come in as before.
    } while (seen !== changes);
    if (!member) return send(connection, { identifier, type: 'reject_subscription' });
    if (!connections.has(connection)) return;
    join(connection, identifier, member);
    send(connection, { identifier, type: 'confirm_subscription' });
    send(connection, { identifier, message: await beat(core, member) });
  }

  async function obey(connection: Connection, text: string): Promise<void> {
    const asked = parse(command, text);
    if (!asked) return;
    const { identifier } = asked;
    if (asked.command === 'subscribe') return subscribe(connection, identifier);
    if (asked.command === 'unsubscribe') return leave(connection, identifier);
    const member = connection.members.get(identifier);
    if (member && parse(action, asked.data ?? '')?.action === 'update_presence') {
      send(connection, { identifier, message: await beat(core, member) });
    }
  }

  const together = rateLimit(core.limits.commandsPerAddress);
  wss.on('connection', (socket, request: IncomingMessage) => {
    const address = addresses.of(request);
    opened += 1;
    const pingGroup = opened % pingGroups;
    const connection: Connection = {
      socket,
      reader: backlog.watch(socket),
      members: new Map(),
      work: Promise.resolve(),
      waiting: 0,
      pingGroup,
      heardAt: performance.now(),
    };
    connections.add(connection);
    const commands = rateLimit(core.limits.commandsPerSocket);
    socket.on('message', (data) => {
      connection.waiting += 1;
      const isHurried = connection.waiting > mostWaiting || commands.take('') || together.take(address);
      if (isHurried) return socket.terminate();
      connection.work = connection.work
        .then(() => obey(connection, data.toString()))
        .catch((error: unknown) => {
          log.error({ route: '/cable', ...errorFacts(error) });
          disconnect(connection, 'server_restart', true);
        })
        .finally(() => {
          connection.waiting -= 1;
        });
    });
    // A frame that breaks the protocol: `ws` closes the connection, which is all there is to do.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      connections.delete(connection);
      for (const identifier of [...connection.members.keys()]) leave(connection, identifier);
    });
    send(connection, { type: 'welcome' });
  });

  wss.on('wsClientError', ({ message }, socket, { method }) =>
    refuseOn(socket, method === 'GET' ? noHandshake(message) : refuseMethod(['get'])),
  );

  const giveBack = givingBack(server);
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!offersSocket(request)) return giveBack(request, socket, head);
    // From here on Node listens for no errors, and one that nobody hears ends the process.
    socket.on('error', () => socket.destroy());
    // Not parsed: not every target is an address, and here nobody catches.
    if (request.url?.split('?')[0] !== '/cable') return refuseOn(socket, nothingThere());
    const wait = addresses.take(request);
    if (wait) return refuseOn(socket, tooMany(wait));
    wss.handleUpgrade(request, socket, head, (opened) => wss.emit('connection', opened, request));
  };
  server.on('upgrade', onUpgrade);

  function rescope(accountId: number, names: ReadonlySet<string>): void {
    changes += 1;
    for (const connection of connections) {
      const members = [...connection.members.values()];
      if (members.some((member) => member.accountId === accountId && names.has(member.name)))
        dismiss(connection, true);
    }
  }

  function rename(topics: readonly string[], name: string): void {
    changes += 1;
    for (const topic of topics) {
      for (const [connection, identifiers] of byTopic.get(topic) ?? []) {
        for (const identifier of identifiers) {
          const member = connection.members.get(identifier);
          if (member) member.name = name;
        }
      }
    }
  }

  function hear(event: ServiceEvent): void {
    const scoped = readScopeChanged(event);
    if (scoped) rescope(scoped.accountId, scoped.names);
    const moved = readPairsMoved(event);
    if (moved) rename(moved.topics, moved.name);
    // One message to many is written once; each has its own identifier before it.
    let message: string | undefined;
    const told = new Map<Connection, Set<string>>();
    for (const topic of event.topics) {
      for (const [connection, identifiers] of byTopic.get(topic) ?? []) {
        const already = told.get(connection) ?? new Set();
        told.set(connection, already);
        for (const identifier of identifiers) {
          const isCause = connection.members.get(identifier)?.name === event.except;
          if (!already.has(identifier) && !isCause) {
            message ??= JSON.stringify({ event: event.name, data: event.data });
            connection.reader.send(`{"identifier":${JSON.stringify(identifier)},"message":${message}}`);
          }
          already.add(identifier);
        }
      }
    }
  }
  // Coming back means reading history again, which has whatever was missed.
  const unhear = core.bus.subscribe(hear, () => {
    for (const connection of [...connections]) disconnect(connection, 'server_restart', true);
  });

  /** Whoever is in no room for long needs no socket, and could open any number of them. */
  function ping(connection: Connection, frame: string): void {
    const now = performance.now();
    if (connection.members.size > 0) connection.heardAt = now;
    if (now - connection.heardAt > core.limits.deafSocketMs) disconnect(connection, 'remote', false);
    // Also finds who has taken nothing for too long.
    else connection.reader.send(frame);
  }

  let group = 0;
  const timer = setInterval(() => {
    const frame = JSON.stringify({ type: 'ping', message: Math.floor(Date.now() / 1000) });
    group = (group + 1) % pingGroups;
    for (const connection of connections) if (connection.pingGroup === group) ping(connection, frame);
  }, pingMs / pingGroups);

  return {
    async stop(graceMs) {
      clearInterval(timer);
      unhear();
      server.off('upgrade', onUpgrade);
      const gone = [...connections].map(
        ({ socket }) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
      );
      for (const connection of [...connections]) disconnect(connection, 'server_restart', true);
      const cut = setTimeout(() => {
        for (const { socket } of connections) socket.terminate();
      }, graceMs);
      await Promise.all(gone);
      clearTimeout(cut);
      wss.close();
    },
  };
}
