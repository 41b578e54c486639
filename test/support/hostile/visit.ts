/**
 * The eight journeys of a visitor on one page, in one visit and in any engine. What a page takes away is done as the
 * page itself says. It does not know what the page does.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { english as en } from '../../../src/text/english.js';
import type { Actor, Profile } from '../actor.js';
import { agent, type ShopService } from '../browser.js';
import { eventually } from '../eventually.js';
import type { Host } from './host.js';
import { type Glance, type HostilePage, type Journey, journeys, type Rect, type Visit } from './page.js';

declare global {
  interface Window {
    testErrors?: string[];
  }
}

const LIMIT_MS = 30_000;

/** Runs in the page, whose own words for things may have been taken: nothing here goes by a name of `document`. */
function look(): Glance {
  const find = (selector: string) => Document.prototype.querySelectorAll.call(document, selector);
  const host = find('parley-chat')[0];
  const root = host?.shadowRoot;
  const rect = (element: Element | null | undefined): Rect | null => {
    const box = element?.getBoundingClientRect();
    if (!element || !box?.width || getComputedStyle(element).visibility === 'hidden') return null;
    return { x: box.x, y: box.y, width: box.width, height: box.height };
  };
  const launcher = root?.querySelector('button[part=launcher]');
  const panel = root?.querySelector('dialog.panel');
  const field = panel?.querySelector('textarea');
  const active = root?.activeElement;
  let links = 0;
  for (const link of find('link[rel=modulepreload]'))
    if (String(link.getAttribute('href')).indexOf('/assets/') > 0) links++;
  const bubbles: string[] = [];
  for (const row of root?.querySelectorAll('li.row') ?? []) {
    const state = row.matches('.mine') ? ` · ${/is-(\w+)/.exec(row.className)?.[1]}` : '';
    bubbles[bubbles.length] = `${row.querySelector('.content')?.textContent ?? ''}${state}`;
  }
  let says = '';
  for (const line of root?.querySelectorAll('[role=status], [role=alert]') ?? [])
    says += `${line.textContent} `;
  return {
    hosts: find('parley-chat').length,
    global: typeof window.parley === 'object' && typeof window.parley.destroy === 'function',
    links,
    launcher: rect(launcher),
    panel: rect(panel),
    view: { width: innerWidth, height: innerHeight },
    font: field ? getComputedStyle(field).fontSize : '',
    focus: !active ? '' : active === field ? 'field' : active === launcher ? 'launcher' : 'other',
    draft: field?.value ?? '',
    bubbles,
    text: panel?.textContent ?? '',
    search: Boolean(panel?.querySelector('input[type=search]')),
    says: says.trim(),
    errors: window.testErrors ?? [],
  };
}

const inside = (box: Rect | null, view: Glance['view']) =>
  box !== null &&
  box.x >= 0 &&
  box.y >= 0 &&
  box.x + box.width <= view.width + 1 &&
  box.y + box.height <= view.height + 1;

/** The launcher is in the corner, the window above it, and both have their size. */
function looksLikeItself(now: Glance) {
  const { launcher, panel, view, font } = now;
  expect({ launcher: inside(launcher, view), panel: inside(panel, view), font }, JSON.stringify(now)).toEqual(
    {
      launcher: true,
      panel: true,
      font: '16px',
    },
  );
  expect(launcher?.width).toBeGreaterThan(55);
  expect(launcher?.height).toBeGreaterThan(55);
  expect(panel?.width).toBeGreaterThan(300);
  expect(panel?.height).toBeGreaterThan(300);
}

export interface Visitors {
  profile: Profile;
  host: Host;
  service: ShopService;
  /** For files to attach. */
  folder: string;
}

/** Goes through the whole page; throws with the name of the journey that did not hold. */
export async function visitPage(page: HostilePage, { profile, host, service, folder }: Visitors) {
  const outer = await profile.newTab();
  await outer.goto(host.url(page));
  let tab: Actor = page.framed ? await outer.frame() : outer;
  const words = `Words on ${page.name}`;
  const answer = `Answer on ${page.name}`;
  const glance = () => tab.eval(look);
  let last: Glance | undefined;
  const until = (what: string, passes: (now: Glance) => boolean) =>
    eventually(
      what,
      async () => {
        last = await glance();
        return passes(last);
      },
      LIMIT_MS,
    );
  const sent = (said: string) =>
    until(`"${said}" is sent`, ({ bubbles }) => bubbles.includes(`${said} · sent`));
  const count = (said: string) => agent(service).count(said);
  const visit: Visit = {
    get tab() {
      return tab;
    },
    outer,
    words,
    answer,
    glance,
    until,
    count,
    get usual() {
      return ways;
    },
    async open() {
      await tab.click('button', /^Open chat/);
      await until('the window is open', ({ panel }) => panel !== null);
    },
    async again() {
      await outer.reload();
      if (page.framed) tab = await outer.frame();
      await page.before?.(visit);
    },
    async press(said) {
      await tab.fill(en.message, said);
      await tab.click('button', en.send);
    },
  };

  const ways: Record<Journey, () => Promise<void>> = {
    async pointer() {
      await visit.open();
      await until('the composer has the focus', ({ focus }) => focus === 'field');
      if (!page.moved) looksLikeItself(await glance());
    },
    async keyboard() {
      const closed = ({ panel, focus }: Glance) => panel === null && focus === 'launcher';
      const opened = ({ panel, focus }: Glance) => panel !== null && focus === 'field';
      await tab.press('Escape');
      await until('Escape closes the window and gives the focus back', closed);
      await tab.press('Enter');
      await until('Enter opens it, with the composer in focus', opened);
      await tab.press('Escape');
      await until('Escape closes it again', closed);
      await tab.press('Space');
      await until('Space opens it again', opened);
    },
    async send() {
      await tab.type(words);
      await tab.press('Enter');
      await sent(words);
      expect(await count(words)).toBe(1);
    },
    async answer() {
      await agent(service).answer(await agent(service).conversationOf(words), answer);
      await until('the answer is here', ({ bubbles }) => bubbles.includes(answer));
    },
    async reload() {
      expect((await glance()).errors).toEqual([]);
      await visit.again();
      await until(
        'the conversation is kept',
        ({ bubbles, panel }) => panel !== null && bubbles.join() === [`${words} · sent`, answer].join(),
      );
      expect(await count(words)).toBe(1);
    },
    async attach() {
      const file = join(folder, `${page.name}.txt`);
      const said = `File on ${page.name}`;
      await writeFile(file, 'boots, hats');
      await tab.attach(file);
      await until('the file is in the tray', ({ text }) => text.includes(`${page.name}.txt`));
      await visit.press(said);
      await sent(said);
      const rows = await service.db.query(
        `select a.file_name as name, a.file_size::int as size
         from attachments a join messages m on m.id = a.message_id where m.content = $1`,
        [said],
      );
      expect(rows).toEqual([{ name: `${page.name}.txt`, size: 11 }]);
    },
    async pick() {
      await tab.click('button', en.emoji);
      await until('the emoji are there', ({ search }) => search);
      await tab.click('button', 'grinning face');
      await until('the emoji is in the field', ({ draft }) => draft.includes('😀'));
      await tab.click('button', en.emoji);
      await tab.click('button', /^More/);
      await tab.click('menuitem', en.keep);
      await until('what we keep is shown', ({ text }) => text.includes(en.keepIntro));
      await tab.click('button', en.back);
      await until('and left again', ({ text }) => !text.includes(en.keepIntro));
    },
    async destroy() {
      const { errors } = await glance();
      await tab.eval(() => window.parley?.destroy());
      const { hosts, global, links } = await glance();
      expect({ hosts, global, links, errors }).toEqual({ hosts: 0, global: false, links: 0, errors: [] });
    },
  };

  let at: Journey | 'before' = 'before';
  try {
    await page.before?.(visit);
    for (at of journeys) await (page.instead?.[at]?.(visit) ?? ways[at]());
    const lines = outer.heard().filter((line) => !page.noise?.test(line));
    expect(lines, 'lines in the console').toEqual([]);
  } catch (error) {
    const heard = outer.heard().slice(0, 8).join('\n');
    throw new Error(
      `${page.name}, ${at}: ${error}\n${JSON.stringify({ ...last, text: last?.text.slice(0, 200) })}\n${heard}`,
      { cause: error },
    );
  } finally {
    await outer.close();
  }
}
