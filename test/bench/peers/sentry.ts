import type { Peer } from './peer.js';

export const sentry: Peer = {
  name: 'sentry',
  title: 'Sentry feedback',
  kind: 'form',
  packages: { '@sentry-internal/feedback': '10.57.0', '@sentry/browser': '10.57.0' },
  // Its one module a second time: else the dialog could not come later, as it does from the vendor's CDN.
  build: { alias: { 'feedback-late': 'node_modules/@sentry-internal/feedback/build/npm/esm/index.js?late' } },
  launcher: ['#sentry-feedback', '.widget__actor'],
  composer: ['#sentry-feedback', 'textarea'],
  notes: [
    'a form, not a chat: one message, no thread; its dialog is fetched at the press, without screenshots',
  ],
};
