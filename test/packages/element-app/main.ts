import { mount, type Parley } from 'parley';
import 'parley/element';

const written = document.querySelector('parley-chat');
written?.setAttribute('base-url', location.origin);

document.getElementById('calls')?.addEventListener('click', () => {
  const other: Parley = mount({
    baseUrl: location.origin,
    inboxIdentifier: 'demo-inbox',
    position: 'bottom-start',
  });
  void written?.chat?.close();
  other.on('close', () => other.destroy());
});
