/**
 * Runs every check, those that need the same answer with one question. It creates nothing at the service and leaves
 * nothing in the browser. It does not know how a result is shown.
 */
import type { Given } from '../embed/options.js';
import type { Stage } from '../embed/stage.js';
import { above } from '../loader.js';
import { isAddress, isPicture } from '../owner/explain.js';
import { scopeKey } from '../storage/local.js';
import { type Fact, factsOf, isKnown } from './about.js';
import { aheadMs, judgeClock } from './clock.js';
import { type Finding, ok, problem, type Result, unknown, worst } from './finding.js';
import { inboxAddress, judgeCors, judgeInbox, judgeReach, tryLine } from './line.js';
import { checkPlace } from './place.js';
import { judgePolicy, type PolicyWatch, tryPolicy } from './policy.js';
import { judgeSocket, socketAddress, trySocket } from './socket.js';
import { checkStorage } from './storage.js';
import { checkTag } from './tag.js';
import { within } from './wait.js';

/** What it needs of a chat. */
export type Patient = Pick<Stage, 'options' | 'base' | 'doors' | 'launcher'>;

export interface Examination {
  at: Date;
  results: Result[];
  facts: Fact[];
}

/** Nothing where there is nothing to fetch, as in the one-file build. */
function folderOf(base: string): string {
  const root = above(new URL('assets/_', base).href);
  return root && `${root}assets/`;
}

/** Where it is shown. */
function pictureOf({ launcher = 'button', inside, launcherImage }: Given): string {
  const shown = launcher === 'button' && !inside && isPicture(launcherImage);
  return shown ? new URL(`${launcherImage}`, document.baseURI).href : '';
}

/** What has not come by then keeps a visitor waiting, too. */
const FILE_MS = 15_000;

async function checkFiles({ doors }: Patient): Promise<Finding[]> {
  const names = ['front', 'window', 'engine'] as const;
  const came = await Promise.all(names.map((name) => within(FILE_MS, doors.open(name), undefined)));
  const missing = names.filter((_, i) => !came[i]);
  return missing.length
    ? [
        problem(
          `Files of the chat do not come (${missing.join(', ')}): copy parley.js and assets/ from the same build to one folder, let their host allow cross-origin requests, and let nothing on the way change them.`,
        ),
      ]
    : [ok('All files of the chat come, as they were built.')];
}

/**
 * @param panel the doctor's own
 * @param tell hears of each result as it comes, in no certain order
 */
export async function examine(
  patient: Patient,
  watch: PolicyWatch,
  panel: Element,
  tell: (title: Title, result: Result) => void,
): Promise<Examination> {
  const at = new Date();
  const { options, base, launcher } = patient;
  const { baseUrl, inboxIdentifier } = options;
  const results = new Map<Title, Result>();
  const put = (title: Title, findings: Finding[]) => {
    const result = { title, level: worst(findings), findings };
    results.set(title, result);
    tell(title, result);
  };
  const files = folderOf(base);
  /** A page may have replaced what a check leans on. */
  const check = async (title: Title, look: () => Finding[] | Promise<Finding[]>) => {
    try {
      put(title, await look());
    } catch {
      put(title, [unknown('This browser or this page does not let the doctor check it.')]);
    }
  };
  const own = Promise.all([
    check('Tag and options', () => checkTag(options, launcher)),
    check('Files of the chat', () => checkFiles(patient)),
    check('Storage', () =>
      checkStorage({
        storage: options.storage,
        consent: options.consent,
        known: isKnown(scopeKey(baseUrl, inboxIdentifier)) === 'yes',
      }),
    ),
  ]);

  if (!isAddress(baseUrl)) {
    await own;
    return { at, results: inOrder(results), facts: [] };
  }
  const needs = {
    address: inboxAddress(baseUrl, inboxIdentifier),
    socket: socketAddress(baseUrl),
    files,
    attachments: `${options.attachments}` !== 'false',
    picture: pictureOf(options),
  };
  const blocks = (address: string) => () => watch.blocks('connect-src', address);
  const [line, socket] = await Promise.all([
    tryLine(needs.address, blocks(needs.address)).then((tried) => {
      put('Service', judgeReach(tried, baseUrl));
      put('Cross-origin requests', judgeCors(tried, baseUrl));
      put('Inbox', judgeInbox(tried, inboxIdentifier));
      return tried;
    }),
    trySocket(needs.socket, blocks(needs.socket)),
    tryPolicy(needs).catch(() => {}),
    own,
  ]);
  const reached = line.reach === 'answered' || line.reach === 'unreadable';
  const ahead = aheadMs(line.answer, socket);
  put('Socket', judgeSocket(socket, needs.socket, reached));
  put('Security policy', judgePolicy(watch.all(), needs));
  put('Clock', judgeClock(ahead));
  // Last: the chat may have come to its place later than we did.
  await check('Place on the page', () => checkPlace(launcher.host, panel, options));
  const facts = factsOf({ options, files, answer: line.answer, socket, aheadMs: ahead });
  return { at, results: inOrder(results), facts };
}

const inOrder = (results: ReadonlyMap<Title, Result>): Result[] =>
  titles.flatMap((title) => results.get(title) ?? []);

/** In the order in which one thing needs the other. */
export const titles = [
  'Tag and options',
  'Files of the chat',
  'Service',
  'Cross-origin requests',
  'Inbox',
  'Socket',
  'Security policy',
  'Storage',
  'Clock',
  'Place on the page',
] as const;
export type Title = (typeof titles)[number];
