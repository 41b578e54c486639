/** A server that renders pages: whatever it imports of the package touches no page, because there is none. */
import { mount, type ParleyOptions } from 'parley';
import { ParleyChat, useParley } from 'parley/react';
import { ParleyChat as ParleyChatInVue } from 'parley/vue';
import 'parley/element';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createSSRApp, h } from 'vue';
import { renderToString as renderVue } from 'vue/server-renderer';

const options: ParleyOptions = { baseUrl: 'https://support.example.com', inboxIdentifier: 'inbox' };

function Page() {
  const chat = useParley(options);
  return createElement('main', null, chat ? 'a chat' : 'no chat', createElement(ParleyChat, options));
}

const inReact = renderToString(createElement(Page));
const inVue = await renderVue(createSSRApp({ render: () => h('main', [h(ParleyChatInVue, { options })]) }));
console.log(JSON.stringify({ mount: typeof mount, inReact, inVue }));
