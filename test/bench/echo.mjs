/** The bare limit of `round-trip.ts`: says back what it hears, and tells its parent where it listens. */
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))));
server.once('listening', () => process.send?.(server.address().port));
process.once('disconnect', () => process.exit());
