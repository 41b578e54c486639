import { ChatWidget } from '@papercups-io/chat-widget';
import { createElement as h } from 'react';
import { render } from 'react-dom';

const base = new URL('.', document.baseURI).href.replace(/\/$/, '');
render(
  h(ChatWidget, {
    token: '5a2ae0b0-6a4b-4b6f-9a56-0d1e5c6f7a81',
    inbox: '0f4c7f0e-2f1e-4f49-8c59-2f8a9b1c2d3e',
    baseUrl: base,
    iframeUrlOverride: `${base}/frame`,
  }),
  document.body.appendChild(document.createElement('div')),
);
