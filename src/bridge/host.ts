/**
 * The app around the page, in whatever way its web view lets the two talk. Only an app can put these objects here, and
 * only what an app says is heard: another window has an origin and a source, and is none. It does not know what is said.
 */

export interface Host {
  post(message: object): void;
  /**
   * What does not come through `parleyBridge`.
   * @param hear gets what came, and whether others talk on the same line
   */
  listen?(hear: (said: unknown, shared: boolean) => void): void;
}

const at = (path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => {
    const isThing = (typeof value === 'object' && value !== null) || typeof value === 'function';
    return isThing ? Reflect.get(value, name) : undefined;
  }, window);

interface Poster {
  postMessage(message: unknown): void;
}
const isPoster = (value: unknown): value is Poster =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'postMessage') === 'function';
const isTarget = (value: unknown): value is Pick<EventTarget, 'addEventListener'> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'addEventListener') === 'function';

const dataOf = (event: unknown) =>
  typeof event === 'object' && event !== null ? Reflect.get(event, 'data') : undefined;

/** What an app says in its own name comes from no window and from no origin. */
const fromApp = (event: MessageEvent) => event.source === null && event.origin === '';

/** One end of a channel, which the app gives us as soon as the page is there: earlier than most of us are. */
export const portOfApp = (): Promise<MessagePort> =>
  new Promise((resolve) => {
    const look = (event: MessageEvent) => {
      const [port] = event.ports;
      if (!port || !fromApp(event)) return;
      window.removeEventListener('message', look);
      resolve(port);
    };
    window.addEventListener('message', look);
  });

const AS_TEXT = ['ParleyNative', 'Parley'];
const IOS = 'webkit.messageHandlers.parley';
/** Also in the web views of apps that follow any link, and know nothing of us: theirs say that they do. */
const REACT = 'ReactNativeWebView';
const IN_APP = 'flutter_inappwebview';

// In a frame of somebody's page an app's objects are there, too, and that page is not the app.
export const isAlone = (): boolean => window.top === window;

/** @param named the address says that an app shows the page */
export const hasHost = (named: boolean): boolean =>
  isAlone() &&
  ([...AS_TEXT, IOS].some((path) => isPoster(at(path))) ||
    (named && (isPoster(at(REACT)) || at(IN_APP) !== undefined)));

/**
 * Asked only where there is an app.
 * @param port where the app has no object here and hands in a port
 * @param named as for `hasHost`
 */
export function findHost(port: Promise<MessagePort> | undefined, named: boolean): Host {
  if (port) return byPort(port);
  const ios = at(IOS);
  if (isPoster(ios)) return { post: (message) => ios.postMessage(message) };
  for (const name of named ? [...AS_TEXT, REACT] : AS_TEXT) {
    const poster = at(name);
    if (!isPoster(poster)) continue;
    return {
      post: (message) => poster.postMessage(JSON.stringify(message)),
      listen(hear) {
        if (name === REACT) byEvents(hear);
        else if (isTarget(poster)) poster.addEventListener('message', (event) => hear(dataOf(event), false));
      },
    };
  }
  return byHandler();
}

/** One of its platforms dispatches them on the window, the other on the document. */
function byEvents(hear: (said: unknown, shared: boolean) => void) {
  for (const target of [document, window])
    target.addEventListener('message', (event) => {
      if (!(event instanceof MessageEvent) || !fromApp(event)) return;
      event.stopPropagation();
      hear(event.data, true);
    });
}

/** What is said before the port is here waits for it. */
function byPort(coming: Promise<MessagePort>): Host {
  return {
    post: (message) => void coming.then((port) => port.postMessage(JSON.stringify(message))),
    listen(hear) {
      void coming.then((port) => {
        port.onmessage = ({ data }) => hear(data, false);
      });
    },
  };
}

/** The plugin may be later than we are: what is said before it is here waits for its sign. */
function byHandler(): Host {
  const waiting: object[] = [];
  function post(message: object) {
    const call = at(`${IN_APP}.callHandler`);
    if (typeof call === 'function') void Reflect.apply(call, at(IN_APP), ['parley', message]);
    else waiting.push(message);
  }
  window.addEventListener('flutterInAppWebViewPlatformReady', () => {
    for (const message of waiting.splice(0)) post(message);
  });
  return { post };
}
