import type { Peer } from './peer.js';

export const n8n: Peer = {
  name: 'n8n',
  title: 'n8n chat',
  kind: 'chat',
  packages: { '@n8n/chat': '1.37.0' },
  published: {
    'style.css': 'dist/style.css',
    'chat.bundle.es.js': 'dist/chat.bundle.es.js',
    // What the bundle imports, by names that carry their content.
    '*': 'dist/*.mjs',
  },
  head: '<link rel="stylesheet" href="style.css"><script type="module" async src="page.js"></script>',
  launcher: ['.chat-window-toggle'],
  composer: ['.chat-input textarea'],
  thread: ['.chat-messages-list'],
  stub: ({ method, path, body }) => {
    if (method !== 'POST' || !path.startsWith('/webhook')) return undefined;
    return body.includes('loadPreviousSession') ? '{"data":[]}' : '{"output":"Thank you."}';
  },
  notes: ['the published bundle, as its documentation embeds it; stub back end'],
};
