/**
 * What the service counts of itself, in the text form of Prometheus. Labels are templates, states and names of ours:
 * never a path, an id or a word of anybody.
 */
import { performance } from 'node:perf_hooks';
import { inTime } from './in-time.js';

export type Labels = Readonly<Record<string, string>>;

export interface Metrics {
  request(labels: { method: string; route: string; status: string }, seconds: number): void;
  event(name: string): void;
  /** Asked whenever somebody reads; several values go by the value of one label. */
  gauge(name: string, help: string, read: Read): void;
  text(): Promise<string>;
}

type Reading = number | { label: string; values: Readonly<Record<string, number>> };
export type Read = () => Reading | Promise<Reading>;

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Histogram {
  labels: Labels;
  /** How many fell into each bucket, the last one without end. */
  buckets: number[];
  sum: number;
}

const quoted = (text: string) => text.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
const labelled = (labels: Labels) => {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${quoted(value)}"`);
  return all.length ? `{${all.join(',')}}` : '';
};

const head = (name: string, type: string, help: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

export function createMetrics(): Metrics {
  const requests = new Map<string, Histogram>();
  const events = new Map<string, number>();
  const gauges: { name: string; help: string; read: Read }[] = [];
  let used = performance.eventLoopUtilization();

  function requestLines(): string[] {
    const name = 'parley_http_request_duration_seconds';
    const lines = head(name, 'histogram', 'Time from the first byte of a request to its answer');
    for (const { labels, buckets, sum } of requests.values()) {
      let count = 0;
      buckets.forEach((of, n) => {
        count += of;
        lines.push(`${name}_bucket${labelled({ ...labels, le: String(bounds[n] ?? '+Inf') })} ${count}`);
      });
      lines.push(`${name}_sum${labelled(labels)} ${sum}`, `${name}_count${labelled(labels)} ${count}`);
    }
    return lines;
  }

  async function gaugeLines(): Promise<string[]> {
    const all = gauges.map(async ({ name, help, read }) => {
      const reading = await inTime(Promise.resolve(read())).catch(() => undefined);
      // A database that does not answer takes its own lines along, and no others.
      if (reading === undefined) return [];
      if (typeof reading === 'number') return [...head(name, 'gauge', help), `${name} ${reading}`];
      const lines = Object.entries(reading.values).map(
        ([value, count]) => `${name}${labelled({ [reading.label]: value })} ${count}`,
      );
      return [...head(name, 'gauge', help), ...lines];
    });
    return (await Promise.all(all)).flat();
  }

  const metrics: Metrics = {
    request(labels, seconds) {
      const key = `${labels.method} ${labels.status} ${labels.route}`;
      const known = requests.get(key) ?? { labels, buckets: [...bounds, 0].map(() => 0), sum: 0 };
      requests.set(key, known);
      const place = bounds.findIndex((bound) => seconds <= bound);
      const n = place === -1 ? bounds.length : place;
      known.buckets[n] = (known.buckets[n] ?? 0) + 1;
      known.sum += seconds;
    },
    event(name) {
      events.set(name, (events.get(name) ?? 0) + 1);
    },
    gauge(name, help, read) {
      gauges.push({ name, help, read });
    },
    async text() {
      const lines = [
        ...requestLines(),
        ...head('parley_events_total', 'counter', 'What was committed here, by kind'),
        ...[...events].map(([event, count]) => `parley_events_total${labelled({ event })} ${count}`),
        ...head('parley_messages_total', 'counter', 'Messages stored by this process'),
        `parley_messages_total ${events.get('message.created') ?? 0}`,
        ...(await gaugeLines()),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
  metrics.gauge('parley_resident_memory_bytes', 'Memory of this process', () => process.memoryUsage.rss());
  metrics.gauge('parley_event_loop_busy_ratio', 'How busy this process was since the last reading', () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, used);
    used = now;
    return utilization;
  });
  return metrics;
}
