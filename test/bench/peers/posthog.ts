import type { Peer } from './peer.js';

const config = {
  token: 'bench',
  supportedCompression: [],
  hasFeatureFlags: false,
  featureFlags: {},
  capturePerformance: false,
  autocapture_opt_out: true,
  surveys: false,
  sessionRecording: false,
  heatmaps: false,
  conversations: {
    enabled: true,
    widgetEnabled: true,
    token: 'bench',
    greetingText: 'Hello',
    requireEmail: false,
  },
};

export const posthog: Peer = {
  name: 'posthog',
  title: 'PostHog conversations',
  kind: 'chat',
  packages: { 'posthog-js': '1.449.2' },
  published: {
    'static/array.js': 'dist/array.js',
    'static/conversations.js': 'dist/conversations.js',
    'static/1.449.2/conversations.js': 'dist/conversations.js',
  },
  launcher: ['#ph-conversations-widget-container button'],
  composer: ['#ph-conversations-widget-container textarea'],
  thread: ['#ph-conversations-widget-container'],
  stub: ({ method, path }) => {
    if (path.includes('/config.js'))
      return `window._POSTHOG_REMOTE_CONFIG={bench:{config:${JSON.stringify(config)}}}`;
    if (path.includes('/config')) return JSON.stringify(config);
    if (path.startsWith('/flags') || path.startsWith('/decide')) return JSON.stringify(config);
    if (path.startsWith('/api/conversations/v1/widget/tickets')) return '{"count":0,"results":[]}';
    if (path === '/api/conversations/v1/widget/message')
      return '{"ticket_id":"t1","message_id":"m1","ticket_status":"new","unread_count":0,"created_at":"2026-01-01T00:00:00Z"}';
    if (path.startsWith('/api/conversations/v1/widget/messages/'))
      return '{"ticket_id":"t1","ticket_status":"new","messages":[],"has_more":false,"unread_count":0}';
    return method === 'POST' ? '{"status":1}' : undefined;
  },
  notes: ['the published bundles, recordings, surveys and autocapture switched off; stub back end'],
};
