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

function App() {
  const chat = useRef<Parley>(undefined);
  const [kind, setKind] = useState<'component' | 'hook' | 'none'>('component');
  const [locale, setLocale] = useState('en');
  const [title, setTitle] = useState('Ask the shop');
  const [unread, setUnread] = useState(0);
  return (
    <>
      <p>Unread: {unread}</p>
      <button type="button" onClick={() => void chat.current?.open()}>
        Write to us
      </button>
      <button type="button" onClick={() => setLocale('de')}>
        Deutsch
      </button>
      <button type="button" onClick={() => setTitle('Ask somebody else')}>
        Another title
      </button>
      <button type="button" onClick={() => setKind('none')}>
        No chat
      </button>
      <button type="button" onClick={() => setKind('hook')}>
        Hook
      </button>
      {kind === 'component' && (
        <ParleyChat {...options} ref={chat} locale={locale} title={title} onUnread={setUnread} />
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
