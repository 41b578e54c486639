/**
 * The file that is fetched once a message has an attachment or answers another one, and when the visitor adds files
 * or a voice: what is sent is shown the same way.
 */
import { partsEn } from '../text/en-parts.js';
import { trayEn } from '../text/en-tray.js';
import { voiceEn } from '../text/en-voice.js';

export { Voice } from '../files/voice.js';
export { take } from '../tray/ready.js';
export { Tray, UnsentFiles } from '../tray/tray.js';
export { AttachmentPart } from './attachment-part.js';
export { default as css } from './parts.css?inline';
export { Quote } from './quote.js';

export const sentences = { ...partsEn, ...trayEn, ...voiceEn };
