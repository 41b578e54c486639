import { BrowserClient, defaultStackParser, getCurrentScope, makeFetchTransport } from '@sentry/browser';
import { buildFeedbackIntegration } from '@sentry-internal/feedback';

const feedbackIntegration = buildFeedbackIntegration({
  lazyLoadIntegration: () =>
    import('./sentry.late.js').then(({ feedbackModalIntegration }) => feedbackModalIntegration),
});
const client = new BrowserClient({
  dsn: `${location.protocol}//key@${location.host}/1`,
  transport: makeFetchTransport,
  stackParser: defaultStackParser,
  integrations: [feedbackIntegration({ enableScreenshot: false })],
});
getCurrentScope().setClient(client);
client.init();
