/** A tab's line to the service with a hand on it: real requests, held, lost or cut where a test says so. */

export interface Line {
  fetch: typeof fetch;
  /** Method and path of every request that left, in order. */
  log: string[];
  /** `before`: never leaves · `after`: carried out, the answer is lost. Undefined: passes. */
  lose: (request: { method: string; path: string }) => 'before' | 'after' | undefined;
  /** Called once the service has answered, before the tab hears of it. */
  answered: (request: { method: string; path: string }) => Promise<void> | void;
}

export function newLine(): Line {
  const line: Line = {
    log: [],
    lose: () => undefined,
    answered: () => undefined,
    async fetch(input, init) {
      const url = new URL(String(input));
      const request = { method: init?.method ?? 'GET', path: url.pathname + url.search };
      const fault = line.lose(request);
      if (fault === 'before') throw new TypeError('Failed to fetch');
      line.log.push(`${request.method} ${request.path}`);
      const response = await fetch(input, init);
      const whole = new Response(await response.arrayBuffer(), response);
      await line.answered(request);
      if (fault === 'after') throw new TypeError('Failed to fetch');
      return whole;
    },
  };
  return line;
}

export const isPost = (request: { method: string; path: string }): boolean =>
  request.method === 'POST' && request.path.endsWith('/messages');
