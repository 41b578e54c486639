import './deepChat.bundle.js';
import { launcher } from './plain-launcher.js';

let chat;

launcher(() => {
  if (chat) {
    chat.hidden = !chat.hidden;
    return;
  }
  chat = document.createElement('deep-chat');
  chat.style.cssText = 'position:fixed;right:20px;bottom:90px;width:360px;height:520px';
  chat.connect = { url: new URL('answer', document.baseURI).href };
  chat.textInput = { placeholder: { text: 'Message' } };
  document.body.append(chat);
  window.benchFeed = (texts) => {
    for (const text of texts) chat.addMessage({ text, role: 'ai' });
  };
});
