/**
 * Entry of the agents' page: makes one session and draws it. Knows no data and no markup below `App`.
 */
import './console.css';
import './shell.css';
import './rail.css';
import './status-line.css';
import './kit.css';
import './cards.css';
import './pages.css';
import './list.css';
import './thread.css';
import './words.css';
import './reply.css';
import './details.css';
import './thread-parts.css';
import { render } from 'preact';
import { createSession } from './state/session.js';
import { App } from './ui/app.js';

const root = document.getElementById('console');
if (!root) throw new Error('The console page needs an element with id="console".');
render(<App session={createSession()} />, root);
