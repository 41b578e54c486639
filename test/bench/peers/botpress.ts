import type { Peer } from './peer.js';

export const botpress: Peer = {
  name: 'botpress',
  title: 'Botpress Webchat',
  kind: 'chat',
  packages: { '@botpress/webchat': '4.5.2', react: '19.3.1', 'react-dom': '19.3.1' },
  build: {
    dedupe: ['react', 'react-dom'],
    alias: { 'botpress-style.css': 'node_modules/@botpress/webchat/dist/style.css' },
  },
  launcher: ['.bpFabContainer'],
  composer: ['.bpComposerContainer textarea'],
  feeds: true,
  thread: ['.bpMessageListContainer'],
  notes: ['its launcher, list and composer with a list of messages in the page, without its client'],
};
