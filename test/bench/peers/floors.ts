/** The limit: as little as a launcher and a composer can be. They keep nothing, send nothing and speak no language. */
import type { Peer } from './peer.js';

const parts = {
  kind: 'floor',
  build: { late: true },
  launcher: ['floor-chat', 'button.launcher'],
  composer: ['floor-chat', 'textarea'],
  feeds: true,
  thread: ['floor-chat', 'ol'],
} as const;

export const floorDom: Peer = {
  ...parts,
  name: 'floor-dom',
  title: 'floor: plain DOM',
  packages: {},
  notes: ['a launcher, a textarea and a list in plain DOM, all but the launcher fetched at the press'],
};

export const floorPreact: Peer = {
  ...parts,
  name: 'floor-preact',
  title: 'floor: Preact',
  packages: { preact: '11.2.0' },
  notes: ['the same with Preact and nothing else'],
};
