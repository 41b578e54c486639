/** Entry of the playground: reads where it is, and draws. Knows no option. */
import '../console/console.css';
import '../console/kit.css';
import './playground.css';
import { render } from 'preact';
import { App } from './ui/app.js';

const root = document.getElementById('playground');
if (!root) throw new Error('The playground needs an element with id="playground".');
const { origin = '', inbox = '' } = root.dataset;
render(<App standard={{ baseUrl: origin, inboxIdentifier: inbox, files: `${origin}/parley.js` }} />, root);
