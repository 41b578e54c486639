/**
 * Every state of the chat that has a look of its own, by name: what its stores hold and what a visitor has pressed.
 * A state is a function of `t(english, arabic)`, because one half of the gallery is written from right to left.
 */

import { around } from './states-around.js';
import { asked } from './states-asked.js';
import { parts } from './states-parts.js';
import { thread } from './states-thread.js';

export const states = { ...around, ...thread, ...parts, ...asked };
