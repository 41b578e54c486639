/** What both floors have on every page: a button in a shadow root, and the way to the rest. */

const css = `
.launcher { position: fixed; inset: auto 20px 20px auto; inline-size: 56px; block-size: 56px; border: 0;
  border-radius: 50%; background: #1f5eff; }
.window { position: fixed; inset: auto 20px 90px auto; inline-size: 360px; block-size: 520px; display: flex;
  flex-direction: column; background: #fff; border: 1px solid #ccc; border-radius: 12px; font: 16px/1.4 sans-serif; }
ol { flex: 1; overflow: auto; margin: 0; padding: 12px; list-style: none; }
li { margin: 0 0 8px; padding: 8px 12px; border-radius: 12px; background: #eef; }
textarea { margin: 12px; font: inherit; }
[hidden] { display: none; }`;

/** @param fetchWindow gives what makes the window */
export function launch(fetchWindow) {
  const host = document.createElement('floor-chat');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  const button = document.createElement('button');
  button.className = 'launcher';
  button.setAttribute('aria-label', 'Chat');
  const opened = () => fetchWindow().then(({ open }) => open(root));
  button.onclick = opened;
  button.onpointerenter = fetchWindow;
  root.append(button);
  document.documentElement.append(host);
}
