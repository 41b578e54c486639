/** Everybody in the bench but ourselves, the limits first. */
import { botframework } from './botframework.js';
import { botpress } from './botpress.js';
import { chatscope } from './chatscope.js';
import { deepChat } from './deep-chat.js';
import { floorDom, floorPreact } from './floors.js';
import { n8n } from './n8n.js';
import { papercups } from './papercups.js';
import type { Peer } from './peer.js';
import { posthog } from './posthog.js';
import { sentry } from './sentry.js';

export const peers: readonly Peer[] = [
  floorDom,
  floorPreact,
  sentry,
  chatscope,
  deepChat,
  posthog,
  botpress,
  papercups,
  n8n,
  botframework,
];
