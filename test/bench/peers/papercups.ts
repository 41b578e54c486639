import type { Peer } from './peer.js';

export const papercups: Peer = {
  name: 'papercups',
  title: 'Papercups',
  kind: 'chat',
  packages: { '@papercups-io/chat-widget': '1.3.1', react: '17.0.2', 'react-dom': '17.0.2' },
  build: { dedupe: ['react', 'react-dom'] },
  launcher: ['.Papercups-toggleButton'],
  stub: ({ path }) => {
    // The window is a page of the vendor's; this one says only that it has come, so that the button can be pressed.
    if (path.startsWith('/frame'))
      return `<!doctype html><title>.</title><script>parent.postMessage({event:'chat:loaded',payload:{}},'*')</script>`;
    return path.startsWith('/api/widget_settings') ? '{"data":{}}' : undefined;
  },
  notes: ['the launcher alone: its window is a page of the vendor’s, which is neither fetched nor counted'],
};
