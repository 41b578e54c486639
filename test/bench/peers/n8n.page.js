import { createChat } from './chat.bundle.es.js';

createChat({ webhookUrl: new URL('webhook', document.baseURI).href, initialMessages: [] });
