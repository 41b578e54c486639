/**
 * The one application all HTTP passes: request id, log line, limits, CORS, routes, errors. A test may put a
 * middleware in front of everything (`before`), which is where faults go.
 */
import { Hono, type MiddlewareHandler } from 'hono';
import type { Core } from '../core.js';
import { internal, nothingThere, notReady, Refusal, refusedBody, refuseMethod, tooMany } from '../errors.js';
import { errorFacts, type Log } from '../log.js';
import { rateLimit } from '../rate-limit.js';
import { randomToken } from '../secrets.js';
import { NoConnection } from '../store/database.js';
import { agentEndpoints } from './account/agents.js';
import { attributeDefinitionEndpoints } from './account/attribute-definitions.js';
import { automationRuleEndpoints } from './account/automation-rules.js';
import { cannedResponseEndpoints } from './account/canned-responses.js';
import { contactEndpoints as accountContacts } from './account/contacts.js';
import { conversationChangeEndpoints } from './account/conversation-changes.js';
import { conversationEndpoints as accountConversations } from './account/conversations.js';
import { deliveryEndpoints } from './account/deliveries.js';
import { inboxMemberEndpoints } from './account/inbox-members.js';
import { inboxEndpoints as accountInboxes } from './account/inboxes.js';
import { labelEndpoints } from './account/labels.js';
import { messageEndpoints as accountMessages } from './account/messages.js';
import { profileEndpoints } from './account/profile.js';
import { reportEndpoints } from './account/reports.js';
import { teamEndpoints } from './account/teams.js';
import { webhookEndpoints } from './account/webhooks.js';
import type { Addresses } from './addresses.js';
import { avatarEndpoints } from './avatars.js';
import { descriptionEndpoints } from './description/endpoints.js';
import { apiVersion } from './description/openapi.js';
import type { Endpoint, Env, HttpContext } from './endpoint.js';
import { healthEndpoints } from './health.js';
import { contactEndpoints } from './public/contacts.js';
import { conversationEndpoints } from './public/conversations.js';
import { csatEndpoints } from './public/csat.js';
import { eventEndpoints } from './public/events.js';
import { inboxEndpoints } from './public/inbox.js';
import { messageEndpoints } from './public/messages.js';
import { passOver } from './refused-body.js';
import { type Pages, staticFiles } from './statics.js';
import { limitGuesses, tokenHeaders } from './tokens.js';
import { uploadEndpoints } from './uploads.js';

export const endpoints: readonly Endpoint[] = [
  ...healthEndpoints,
  ...inboxEndpoints,
  ...contactEndpoints,
  ...conversationEndpoints,
  ...messageEndpoints,
  ...csatEndpoints,
  ...eventEndpoints,
  ...profileEndpoints,
  ...agentEndpoints,
  ...teamEndpoints,
  ...labelEndpoints,
  ...cannedResponseEndpoints,
  ...accountInboxes,
  ...inboxMemberEndpoints,
  ...attributeDefinitionEndpoints,
  ...accountContacts,
  ...accountConversations,
  ...conversationChangeEndpoints,
  ...accountMessages,
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...automationRuleEndpoints,
  ...reportEndpoints,
  ...uploadEndpoints,
  ...avatarEndpoints,
  ...descriptionEndpoints(() => endpoints),
];

const template = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
const patterns = endpoints.map((endpoint) => ({
  pattern: template(endpoint.path),
  methods: endpoint.methods,
}));

/** A path we know and a method we do not: 405 with the ones we do. */
function refuseUnknown(path: string): Refusal {
  const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((known) => known.methods);
  if (methods.length === 0) return nothingThere();
  // Who answers to the one answers to the other.
  return refuseMethod(methods.flatMap((method) => (method === 'get' ? ['get', 'head'] : [method])));
}

function refuse(http: HttpContext, refusal: Refusal): Response {
  for (const [name, value] of Object.entries(refusal.headers)) http.header(name, value);
  return http.json(refusedBody(refusal), refusal.status);
}

const full = () => notReady('The database does not take more at the moment, try again later', 10);

const isPublic = (path: string) => path.startsWith('/public/');

/** What is answered is for who asked, and only now: a cache on the way may know neither. */
function keepFromCaches(http: HttpContext): void {
  const isAccount = http.req.path.startsWith('/api/');
  if (isAccount || isPublic(http.req.path)) http.header('Cache-Control', 'no-store');
  if (isAccount) http.header('Vary', tokenHeaders.join(', '));
}

function cors(http: HttpContext, keepsEchoId: boolean): void {
  http.header('Access-Control-Allow-Origin', '*');
  http.header('Access-Control-Expose-Headers', 'Retry-After, Echo-Id, X-Request-Id, Date, Service-Version');
  http.header('Service-Version', apiVersion);
  if (keepsEchoId) http.header('Echo-Id', 'kept');
}

function preflight(http: HttpContext): Response {
  http.header('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS');
  http.header('Access-Control-Allow-Headers', http.req.header('access-control-request-headers') ?? '*');
  http.header('Access-Control-Max-Age', '7200');
  http.header('Vary', 'Access-Control-Request-Headers');
  return http.body(null, 204);
}

export function createApp(
  core: Core,
  log: Log,
  pages: Pages,
  addresses: Addresses,
  before?: MiddlewareHandler<Env>,
): Hono<Env> {
  const app = new Hono<Env>();
  const perContact = rateLimit(core.limits.requestsPerContact);

  app.use(async (http, next) => {
    const startedAt = performance.now();
    http.set('requestId', randomToken(9));
    http.set('route', '(none)');
    http.header('X-Request-Id', http.get('requestId'));
    if (isPublic(http.req.path)) cors(http, !core.forgetEchoId);
    keepFromCaches(http);
    await next();
    if (http.res.status >= 400) await passOver(http, core);
    // Otherwise who keeps a connection would find it cut.
    if (core.isDraining()) http.header('Connection', 'close');
    const ms = performance.now() - startedAt;
    const { method } = http.req;
    const route = http.get('route');
    core.metrics.request({ method, route, status: String(http.res.status) }, ms / 1000);
    log.info({
      method,
      route,
      status: http.res.status,
      ms: Math.round(ms),
      request: http.get('requestId'),
    });
  });
  if (before) app.use(before);
  const polite: MiddlewareHandler<Env> = async (http, next) => {
    const wait = addresses.take(http.env.incoming);
    if (wait) throw tooMany(wait);
    return next();
  };
  app.use('/public/*', async (http, next) =>
    http.req.method === 'OPTIONS' ? preflight(http) : polite(http, next),
  );
  for (const files of ['/uploads/*', '/avatars/*']) app.use(files, polite);
  app.use(
    '/api/*',
    limitGuesses(core.limits.requestsPerAddress, (http) => addresses.of(http.env.incoming)),
  );
  for (const endpoint of endpoints) {
    app.on(
      endpoint.methods.map((method) => method.toUpperCase()),
      endpoint.path,
      (http) => {
        http.set('route', endpoint.path);
        return endpoint.answer(http, core, perContact);
      },
    );
  }
  app.get('*', staticFiles(pages));
  app.notFound((http) => refuse(http, refuseUnknown(http.req.path)));
  app.onError((error, http) => {
    if (error instanceof Refusal) return refuse(http, error);
    log.error({ request: http.get('requestId'), route: http.get('route'), ...errorFacts(error) });
    return refuse(http, error instanceof NoConnection ? full() : internal());
  });
  return app;
}
