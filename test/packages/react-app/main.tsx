import type { Parley, ParleyOptions } from 'parley';
import { ParleyChat, useParley } from 'parley/react';
import { StrictMode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

const options: ParleyOptions = { baseUrl: location.origin, inboxIdentifier: 'demo-inbox' };

/** Whoever wants the chat itself. */
function Hooked() {
  const chat = useParley({ ...options, title: 'By the hook' });
  return <output>{chat ? 'hooked' : 'not yet'}</output>;
}

/** Nothing is fetched or kept before the visitor has agreed. */
function Agreeing() {
  const [locale, setLocale] = useState('en');
  const [title, setTitle] = useState('With leave');
  const [scheme, setScheme] = useState<'dark'>();
  const chat = useParley({ ...options, connect: 'allow', storage: 'memory', locale, title, scheme });
  const [cost, setCost] = useState('');
  return (
    <>
      <button type="button" onClick={() => setLocale('de')}>
        Auf Deutsch
      </button>
      <button type="button" onClick={() => void chat?.allow('memory')}>
        Agree
      </button>
      <button type="button" onClick={() => setTitle('Still with leave')}>
        Change the title
      </button>
      <button type="button" onClick={() => setScheme('dark')}>
        At night
      </button>
      <button type="button" onClick={() => setScheme(undefined)}>
        At any time
      </button>
      <button type="button" onClick={() => void chat?.perf().then((perf) => setCost(JSON.stringify(perf)))}>
        What it costs
      </button>
      <output>{cost}</output>
    </>
  );
}

function App() {
  const chat = useRef<Parley | undefined>(undefined);
  const [kind, setKind] = useState<'component' | 'hook' | 'agreeing' | 'none'>('component');
  const [locale, setLocale] = useState('en');
  const [title, setTitle] = useState('Ask us');
  const [accent, setAccent] = useState<string>();
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  const [inline, setInline] = useState(false);
  const [unread, setUnread] = useState(0);
  const [ready, setReady] = useState(0);
  const [heard, setHeard] = useState<number>();
  return (
    <>
      <p>
        Unread: {unread}, ready: {ready}
        {heard !== undefined && `, heard: ${heard}`}
      </p>
      <button type="button" onClick={() => setHeard(0)}>
        Listen
      </button>
      <button type="button" onClick={() => setScheme('dark')}>
        Dark
      </button>
      <button type="button" onClick={() => void chat.current?.setTheme({ text: '#0b6e4f' })}>
        Green words
      </button>
      <button type="button" onClick={() => setAccent('#0b6e4f')}>
        Green
      </button>
      <button type="button" onClick={() => setAccent(undefined)}>
        No green
      </button>
      <button
        type="button"
        onClick={() => void chat.current?.identify({ identifier: 'user-of-react', name: 'Nils Holgersson' })}
      >
        Say who
      </button>
      <button type="button" onClick={() => void chat.current?.open()}>
        Write to us
      </button>
      <button type="button" onClick={() => setLocale('de')}>
        Deutsch
      </button>
      <button type="button" onClick={() => setTitle('Ask the shop')}>
        A first title
      </button>
      <button type="button" onClick={() => setTitle('Ask somebody else')}>
        Another title
      </button>
      <button type="button" onClick={() => setInline((before) => !before)}>
        Into the page and out
      </button>
      <button type="button" onClick={() => setKind('none')}>
        No chat
      </button>
      <button type="button" onClick={() => setKind('hook')}>
        Hook
      </button>
      <button type="button" onClick={() => setKind('agreeing')}>
        With leave
      </button>
      {kind === 'agreeing' && <Agreeing />}
      {kind === 'component' && (
        <ParleyChat
          {...options}
          ref={chat}
          inline={inline}
          className="place"
          locale={locale}
          title={title}
          accent={accent}
          scheme={scheme}
          onReady={() => setReady((before) => before + 1)}
          onUnread={setUnread}
          onMessage={heard === undefined ? undefined : () => setHeard((before = 0) => before + 1)}
        />
      )}
      {kind === 'hook' && <Hooked />}
    </>
  );
}

const app = document.getElementById('app');
if (app)
  createRoot(app).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
