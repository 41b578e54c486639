import type { Peer } from './peer.js';

export const botframework: Peer = {
  name: 'botframework',
  title: 'Bot Framework Web Chat',
  kind: 'kit',
  packages: { 'botframework-webchat': '4.18.1' },
  published: { 'webchat-minimal.js': 'dist/webchat-minimal.js' },
  // One after the other: the page's script needs the bundle.
  head: '<script defer src="webchat-minimal.js"></script><script type="module" src="page.js"></script>',
  launcher: ['button.launcher'],
  composer: ['[data-testid="send box text area"], .webchat__send-box-text-box__input'],
  thread: ['.webchat__basic-transcript'],
  stub: ({ method, path, base }) => {
    if (method === 'POST' && path === '/directline/conversations')
      return JSON.stringify({ conversationId: 'c1', token: 't1', expires_in: 3600, streamUrl: '' });
    if (method === 'POST' && path.endsWith('/activities')) return `{"id":"c1|${Date.now()}"}`;
    if (path.includes('/activities')) return '{"activities":[],"watermark":"0"}';
    return base && path.startsWith('/directline/tokens') ? '{"conversationId":"c1","token":"t1"}' : undefined;
  },
  notes: [
    'the smaller of its published bundles; it has no launcher, so the page has a plain button; stub back end',
  ],
};
