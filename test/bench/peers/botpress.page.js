import 'botpress-style.css';
import { Composer, Container, Fab, Header, MessageList } from '@botpress/webchat';
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';

let made = 0;
const messageOf = (text, direction) => ({
  id: `m${++made}`,
  timestamp: new Date(),
  direction,
  sender: { name: 'Somebody' },
  block: { type: 'bubble', block: { type: 'text', text } },
});

function App() {
  const [open, setOpen] = useState(false);
  const [messages, setMessages] = useState([]);
  const add = (texts, direction) =>
    setMessages((now) => [...now, ...texts.map((text) => messageOf(text, direction))]);
  window.benchFeed = (texts) => add(texts, 'incoming');
  const sendMessage = async (payload) => add([payload.text], 'outgoing');
  const display = open ? 'flex' : 'none';
  return [
    h(
      Container,
      {
        key: 'c',
        connected: true,
        style: { display, width: 400, height: 600, position: 'fixed', bottom: 90, right: 20 },
      },
      h(Header, { closeWindow: () => setOpen(false), configuration: { botName: 'Bot' } }),
      h(MessageList, { botName: 'Bot', isTyping: false, messages, sendMessage, isOpen: open }),
      h(Composer, { connected: true, sendMessage, composerPlaceholder: 'Type a message...' }),
    ),
    h(Fab, {
      key: 'f',
      onClick: () => setOpen(!open),
      style: { position: 'fixed', bottom: 20, right: 20, width: 64, height: 64 },
    }),
  ];
}

createRoot(document.body.appendChild(document.createElement('div'))).render(h(App));
