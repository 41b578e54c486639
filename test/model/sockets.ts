/**
 * Sockets that speak ActionCable with the service model, over the same bad line: refused, half-open, frames dropped,
 * doubled or out of order, each at most once otherwise. It does not know what an event says.
 */
import type { Clock, Dice } from './clock.js';
import type { ServiceModel } from './service-model.js';
import type { TabPage } from './tab-page.js';

const PING_MS = 3_000;

/** The line they stand on. */
export interface Line {
  clock: Clock;
  dice: Dice;
  rules: { rate: number };
  down: boolean;
  service: ServiceModel;
}

export interface Cables {
  of: (page: TabPage) => typeof WebSocket;
  publish: (token: string, event: string, data: unknown) => void;
  /** The line went: some sockets hear of it, the others are half-open from now on. */
  lineLost: () => void;
  open: () => number;
}

export function createCables(line: Line): Cables {
  const { clock, dice, rules } = line;
  const sockets = new Set<Socket>();

  class Socket {
    readyState = 0;
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: (() => void) | null = null;
    onerror: (() => void) | null = null;
    identifier: string | undefined;
    token: string | undefined;
    halfOpen = false;

    constructor(readonly page: TabPage) {
      page.ends.push(() => sockets.delete(this));
      clock.after(dice.among(1, 60), () => {
        if (line.down || dice.chance(rules.rate / 3)) return this.drop();
        page.deliver(() => {
          if (this.readyState !== 0) return;
          this.readyState = 1;
          sockets.add(this);
          this.onopen?.();
          this.tell({ type: 'welcome' });
          this.ping();
        });
      });
    }

    /** At most once, and with luck in order. */
    tell(frame: unknown) {
      if (dice.chance(rules.rate / 2)) return;
      const data = JSON.stringify(frame);
      const times = dice.chance(rules.rate / 5) ? 2 : 1;
      for (let i = 0; i < times; i++) {
        const late = dice.chance(rules.rate / 3) ? 3_000 : 30;
        clock.after(dice.among(1, late), () => {
          if (!this.halfOpen && !line.down)
            this.page.deliver(() => this.readyState === 1 && this.onmessage?.({ data }));
        });
      }
    }

    ping() {
      clock.after(PING_MS, () => {
        if (!sockets.has(this)) return;
        if (!this.page.frozen) this.tell({ type: 'ping', message: Math.floor(clock.now / 1000) });
        if (dice.chance(rules.rate / 20)) this.halfOpen = true;
        this.ping();
      });
    }

    send(data: string) {
      const { command, identifier } = JSON.parse(data);
      if (command !== 'subscribe' || this.halfOpen || line.down) return;
      clock.after(dice.among(1, 30), () => {
        const token = JSON.parse(identifier).pubsub_token;
        const known = [...line.service.contacts.values()].some((contact) => contact.token === token);
        if (known) Object.assign(this, { token, identifier });
        this.tell({ identifier, type: known ? 'confirm_subscription' : 'reject_subscription' });
      });
    }

    close() {
      this.readyState = 3;
      sockets.delete(this);
    }

    drop() {
      this.page.deliver(() => {
        if (this.readyState === 3) return;
        this.close();
        this.onerror?.();
        this.onclose?.();
      });
    }
  }

  return {
    of: (page) =>
      class extends Socket {
        constructor() {
          super(page);
        }
      } as unknown as typeof WebSocket,
    publish(token, event, data) {
      for (const socket of sockets) {
        if (socket.token === token) socket.tell({ identifier: socket.identifier, message: { event, data } });
      }
    },
    lineLost() {
      for (const socket of [...sockets]) {
        if (dice.chance(0.5)) clock.after(dice.among(0, 5_000), () => socket.drop());
        else socket.halfOpen = true;
      }
    },
    open: () => sockets.size,
  };
}
