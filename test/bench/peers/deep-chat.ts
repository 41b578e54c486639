import type { Peer } from './peer.js';

export const deepChat: Peer = {
  name: 'deep-chat',
  title: 'deep-chat',
  kind: 'kit',
  packages: { 'deep-chat': '2.4.2' },
  published: { 'deepChat.bundle.js': 'dist/deepChat.bundle.js' },
  launcher: ['button.launcher'],
  composer: ['deep-chat', '#text-input'],
  feeds: true,
  thread: ['deep-chat', '#messages'],
  stub: ({ method, path }) => (method === 'POST' && path === '/answer' ? '{"text":"Thank you."}' : undefined),
  notes: ['the published bundle; it has no launcher, so the page has a plain button; stub back end'],
};
