/**
 * Many open sockets, as contacts hold them: subscribed, idle, and each second one in a hundred is sent a message. One
 * process of this takes a share of them; the time is from the request that sends to the frame that arrives, on one clock.
 */
import { WebSocket } from 'ws';

interface Share {
  url: string;
  token: string;
  /** Numbers of conversations and of their contacts. */
  from: number;
  to: number;
  seconds: number;
  perSecond: number;
}

const subprotocol = 'actioncable-v1-json';
const openingAtOnce = 50;

function open({ url }: Share, token: string, heard: (text: string) => void): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/cable`, [subprotocol]);
    const identifier = JSON.stringify({ channel: 'RoomChannel', pubsub_token: token });
    socket.once('open', () => socket.send(JSON.stringify({ command: 'subscribe', identifier })));
    socket.once('error', reject);
    socket.on('message', (data) => {
      const text = String(data);
      if (text.includes('"confirm_subscription"')) resolve(socket);
      else if (text.includes('"message.created"')) heard(text);
    });
  });
}

export async function run(): Promise<void> {
  const share: Share = JSON.parse(process.env.BENCH_SHARE ?? '{}');
  const sentAt = new Map<string, number>();
  const times: number[] = [];
  const heard = (text: string) => {
    const name = /"echo_id":"([^"]+)"/.exec(text)?.[1] ?? '';
    const at = sentAt.get(name);
    if (at !== undefined) times.push(performance.now() - at);
    sentAt.delete(name);
  };
  const sockets: WebSocket[] = [];
  for (let n = share.from; n <= share.to; n += openingAtOnce) {
    const some = Array.from(
      { length: Math.min(openingAtOnce, share.to - n + 1) },
      (_, k) => `token-${n + k}`,
    );
    sockets.push(...(await Promise.all(some.map((token) => open(share, token, heard)))));
  }
  console.log(JSON.stringify({ open: sockets.length }));
  await new Promise((resolve) => process.stdin.once('data', resolve));

  const headers = { 'content-type': 'application/json', api_access_token: share.token };
  let failed = 0;
  let sent = 0;
  const startedAt = performance.now();
  const pending: Promise<void>[] = [];
  for (let second = 0; second < share.seconds; second += 1) {
    for (let k = 0; k < share.perSecond; k += 1) {
      // Spread over the second, as people are.
      const dueAt = startedAt + second * 1000 + (k * 1000) / share.perSecond;
      const waitMs = dueAt - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      const conversation = share.from + Math.floor(Math.random() * (share.to - share.from + 1));
      const name = `${process.pid}-${sent}`;
      sent += 1;
      sentAt.set(name, performance.now());
      const body = JSON.stringify({ content: `Answer ${name}`, echo_id: name });
      const path = `${share.url}/api/v1/accounts/1/conversations/${conversation}/messages`;
      const asked = fetch(path, { method: 'POST', headers, body }).then(
        async (answer) => {
          await answer.arrayBuffer();
          if (answer.status !== 200) failed += 1;
        },
        () => {
          failed += 1;
        },
      );
      pending.push(asked);
    }
  }
  await Promise.all(pending);
  const until = performance.now() + 5000;
  while (sentAt.size > 0 && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(JSON.stringify({ times, sent, failed, missing: sentAt.size }));
  for (const socket of sockets) socket.terminate();
  process.exit(0);
}
