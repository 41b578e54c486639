/** How much of anything one may ask, send, keep open or leave waiting. Knows nothing of who counts. */

export interface Limits {
  /**
   * Requests of one address to the public family and for files, and to the account family without a valid token, each
   * minute.
   */
  requestsPerAddress: number;
  /** Requests for one contact, each minute. */
  requestsPerContact: number;
  /** Messages of all kinds in one conversation, each minute. */
  messagesPerConversation: number;
  /** Open sockets of one contact; the oldest gives way. */
  socketsPerContact: number;
  /** Commands of one socket, each minute: a page that is there sends about three. */
  commandsPerSocket: number;
  /** Commands of all sockets of one address, each minute: those of as many pages as may ask for something. */
  commandsPerAddress: number;
  /** How long a socket may stay that is let in nowhere. */
  deafSocketMs: number;
  /** Of JSON, or of all fields of a form together. */
  bodyBytes: number;
  /**
   * Of JSON and the text of forms that is still coming, in all requests together; those give way that have brought much
   * of theirs.
   */
  comingBytes: number;
  /** How long JSON may take, or a form without its files, and a second more for each 4 KB that it has brought. */
  bodyMs: number;
  fileBytes: number;
  files: number;
  /**
   * How long a body that has begun may bring nothing, and a reader take nothing of an answer; how long either takes on
   * the whole does not matter, but for JSON and the text of forms. And how long the reader of a socket may be behind.
   */
  silentBodyMs: number;
  /** Of what is kept for all readers of sockets together that have not taken it yet; those give way that are behind. */
  socketBacklogBytes: number;
  /** The same for the readers of answers. */
  answerBacklogBytes: number;
  /** How long a connection to PostgreSQL is waited for: less than our own client waits for an answer. */
  connectionMs: number;
  /** How long an answer of PostgreSQL is waited for, but for what keeps the tables in order. */
  answerMs: number;
  /** How long one question of a search may take, on PostgreSQL. */
  searchMs: number;
  /** How long the rest of a form is still let in that is refused already: its sender is not cut before the answer. */
  refusedBodyMs: number;
}

export const defaultLimits: Limits = {
  requestsPerAddress: 3000,
  requestsPerContact: 600,
  messagesPerConversation: 200,
  socketsPerContact: 20,
  commandsPerSocket: 300,
  commandsPerAddress: 9000,
  deafSocketMs: 60_000,
  // The longest message, 150,000 characters, when each is escaped as a surrogate pair of 12 bytes, is 1.8 MB.
  bodyBytes: 2 * 1024 * 1024,
  comingBytes: 128 * 1024 * 1024,
  bodyMs: 60_000,
  fileBytes: 40 * 1024 * 1024,
  files: 15,
  silentBodyMs: 60_000,
  socketBacklogBytes: 128 * 1024 * 1024,
  answerBacklogBytes: 128 * 1024 * 1024,
  connectionMs: 15_000,
  answerMs: 30_000,
  searchMs: 5000,
  refusedBodyMs: 30_000,
};
