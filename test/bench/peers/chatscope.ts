import type { Peer } from './peer.js';

export const chatscope: Peer = {
  name: 'chatscope',
  title: 'chatscope UI kit',
  kind: 'kit',
  packages: {
    '@chatscope/chat-ui-kit-react': '2.1.1',
    '@chatscope/chat-ui-kit-styles': '1.4.0',
    react: '19.3.1',
    'react-dom': '19.3.1',
    'prop-types': '15.8.1',
  },
  build: { dedupe: ['react', 'react-dom'] },
  launcher: ['button.launcher'],
  composer: ['.cs-message-input__content-editor'],
  feeds: true,
  thread: ['.cs-message-list'],
  notes: ['components only: the page has a plain button and a list of messages; nothing is sent anywhere'],
};
