import { launcher } from './plain-launcher.js';

const { createDirectLine, renderWebChat } = window.WebChat;
let box;

launcher(() => {
  if (box) {
    box.hidden = !box.hidden;
    return;
  }
  box = document.createElement('div');
  box.style.cssText = 'position:fixed;right:20px;bottom:90px;width:360px;height:520px;background:#fff';
  document.body.append(box);
  const domain = new URL('directline', document.baseURI).href;
  renderWebChat(
    { directLine: createDirectLine({ token: 't1', domain, webSocket: false }), userID: 'visitor' },
    box,
  );
});
