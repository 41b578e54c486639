/** All that reads what comes from elsewhere, in one module: to be compared with what visitors get of it. */
export * from '../../src/model/ledger.js';
export * from '../../src/wire/contact.js';
export * from '../../src/wire/conversation.js';
export * from '../../src/wire/error-body.js';
export * from '../../src/wire/frame.js';
export * from '../../src/wire/inbox.js';
export * from '../../src/wire/kinds.js';
export * from '../../src/wire/message.js';
