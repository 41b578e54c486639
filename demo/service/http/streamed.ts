/**
 * JSON with a long list of messages, written as it is read: the list may be longer than there is memory for, so only a
 * page of it is ever here.
 */
import { Readable } from 'node:stream';
import type { MessageView } from '../domain/messages-view.js';
import { sqlState } from '../store/database.js';
import type { HttpContext } from './endpoint.js';

/** So many characters are written at once, or those of one message. */
const CHUNK = 65_536;

/** @param before with the bracket that opens the list, as `after` has the one that closes it */
export async function* listText(
  before: string,
  pages: AsyncIterable<readonly MessageView[]>,
  shape: (view: MessageView) => object,
  after: string,
): AsyncGenerator<string> {
  let text = before;
  let separator = '';
  for await (const views of pages) {
    for (const view of views) {
      text += separator + JSON.stringify(shape(view));
      separator = ',';
      if (text.length < CHUNK) continue;
      yield text;
      text = '';
    }
  }
  yield text + after;
}

export async function streamed(http: HttpContext, text: AsyncGenerator<string>): Promise<Response> {
  // What goes wrong before the first words is still told as any other error.
  const first = await text.next();
  async function* bytes() {
    if (!first.done) yield Buffer.from(first.value);
    try {
      for await (const more of text) yield Buffer.from(more);
    } catch (error) {
      // The server prints it as it is, and a driver's own has values of rows in it.
      throw new Error(`an answer broke off: ${sqlState(error) ?? 'no code'}`);
    }
  }
  const body = Readable.toWeb(Readable.from(bytes())) as ReadableStream<Uint8Array>;
  return http.body(body, 200, { 'Content-Type': 'application/json' });
}
