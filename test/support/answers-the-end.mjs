/** In the place of the service: a program that answers whoever has said all, at their end, or ends when told to. */
import { createServer } from 'node:net';

const server = createServer({ allowHalfOpen: true }, (socket) => {
  let said = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (text) => {
    said += text;
    if (said === 'go') process.exit(1);
  });
  socket.on('end', () => socket.end(`heard: ${said}`));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Host page  http://127.0.0.1:${server.address().port}/`);
  console.log('Console    http://127.0.0.1/agent#token=none');
});
