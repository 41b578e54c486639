/** Door 4: the engine of the chat, and what it does for messages that come while nobody looks. */

export { browserEnv } from './env.js';
export { watchNews } from './notice/watch.js';
export { createChat } from './state/chat.js';
