import '@chatscope/chat-ui-kit-styles/dist/default/styles.min.css';
import {
  ChatContainer,
  MainContainer,
  Message,
  MessageInput,
  MessageList,
} from '@chatscope/chat-ui-kit-react';
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';

function App() {
  const [open, setOpen] = useState(false);
  const [rows, setRows] = useState([]);
  const add = (texts, direction) =>
    setRows((now) => [...now, ...texts.map((message) => ({ message, direction }))]);
  window.benchFeed = (texts) => add(texts, 'incoming');
  const row = (model, i) =>
    h(Message, { key: i, model: { ...model, sender: 'Somebody', position: 'single' } });
  return [
    open &&
      h(
        'div',
        { key: 'w', style: { position: 'fixed', right: 20, bottom: 90, width: 360, height: 520 } },
        h(
          MainContainer,
          null,
          h(
            ChatContainer,
            null,
            h(MessageList, null, rows.map(row)),
            h(MessageInput, {
              placeholder: 'Message',
              autoFocus: true,
              attachButton: false,
              onSend: (_html, text) => add([text], 'outgoing'),
            }),
          ),
        ),
      ),
    h('button', {
      key: 'b',
      type: 'button',
      className: 'launcher',
      'aria-label': 'Chat',
      style: { position: 'fixed', right: 20, bottom: 20, width: 56, height: 56, borderRadius: '50%' },
      onClick: () => setOpen(!open),
    }),
  ];
}

createRoot(document.body.appendChild(document.createElement('div'))).render(h(App));
