/** What a chat is told from the start: where it is, and how it behaves there. */
export interface ChatOptions {
  /** Where the service is: `https://support.example.com`, without a slash at the end. */
  baseUrl: string;
  inboxIdentifier: string;
  /** `calm`: the line is tried more seldom, for a service with very many visitors. */
  reconnect?: unknown;
  /** `call`: what the visitor sends is no leave to keep more of them than before. */
  consent?: unknown;
  /** The window is a part of its page: whether it is open is no matter of other pages. */
  inside?: unknown;
  /** The first message of a conversation takes along where it was written. */
  tellPage?: unknown;
}
