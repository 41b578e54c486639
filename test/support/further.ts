/**
 * What `npm test` leaves to `npm run test:all` and `test:long`, so that it is done within twelve minutes: what lies far
 * from a first word and its answer, what another test shows in part, and what waits for clocks and processes. A new test
 * is not here; it is put here when it costs the others their minutes. The `long` project is apart: that are campaigns.
 */

const browser = [
  // The agents' console, whose journeys `console.test.ts` walks.
  'console-calling',
  'console-changes',
  'console-focus',
  'console-forms',
  'console-list',
  'console-lost',
  'console-panes',
  'console-reports',
  'console-sending',
  'console-settings',
  'console-thread',
  'console-words',
  'console-writing',
  // The owner's tools: `doctor.test.ts` and `playground.test.ts` remain.
  'docs',
  'doctor-options',
  'doctor-policy',
  'doctor-storage',
  'packages',
  'playground-preview',
  'previews',
  // Corners of what owners and apps ask for.
  'early-press',
  'element-after',
  'host-dialogs',
  'outreach',
  'outreach-calls',
  'owner-aside',
  'owner-hours',
  'owner-launcher',
  'owner-leaving',
  'owner-said',
  'webview-kept',
  'webview-window',
  // Corners of what visitors meet.
  'between',
  'echo',
  'forced-colours',
  'heard',
  'late-answers',
  'lightbox',
  'low-window',
  'moved',
  'notices-language',
  'notices-once',
  'older',
  'parts',
  'photos',
  'session-strays',
  'slow-storage',
  'sound',
  'theme',
  'thread-away',
  'thread-words',
  'unseen',
  'voice',
];

const service = [
  'automation',
  'backlogs',
  'cluster-command',
  'full-pool',
  'held-rows',
  'kill',
  'lasting-files',
  'limits',
  'release',
  'shared-bus',
  'silent-database',
  'slow-search',
  'start',
  'start-in-vain',
  'unfinished-bodies',
  'webhook-faults',
];

const engines = ['doctor', 'early-file', 'phone', 'print', 'rows'];

const inFolder = (folder: string, names: string[]) => names.map((name) => `test/${folder}/${name}.test.ts`);

export const further = {
  browser: inFolder('browser', browser),
  service: inFolder('service', service),
  engines: inFolder('engines', engines),
};
