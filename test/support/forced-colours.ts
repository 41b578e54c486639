/**
 * What a state of the gallery shows with the visitor's own few colours: what can be told from its ground without them
 * and not with them. Grounds go there, and most shadows: what only they drew is gone. It does not know what the states are.
 */
import type { JSHandle, Page } from 'playwright-core';

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
  /** To be pressed or filled in, and on a ground of its own. */
  edged: boolean;
}

/** Drawings, and whatever else has no words; and everything that can be pressed or filled in. */
const MARKS =
  'svg, img, i, progress, audio, [class]:empty, button, a[href], input, select, textarea, [role=menuitem], [role=menuitemcheckbox], label';

const marksOn = (page: Page) =>
  page.evaluateHandle(
    (selector) =>
      [
        ...(document.querySelector('parley-chat')?.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
      ].filter(
        (element) =>
          !element.closest('[inert], .sr, [hidden]') &&
          element.checkVisibility({
            contentVisibilityAuto: true,
            visibilityProperty: true,
            opacityProperty: true,
          }),
      ),
    MARKS,
  );

const boxesOf = (marks: JSHandle<HTMLElement[]>): Promise<Box[]> =>
  marks.evaluate((elements) =>
    elements.map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const { backgroundColor, borderStyle } = getComputedStyle(element);
      const presses = element.matches('button, a, input, select, textarea, label, [role]');
      const ground = !/, 0\)|\/ 0\)/.test(backgroundColor) || borderStyle !== 'none';
      return { left, top, width, height, edged: presses && ground };
    }),
  );

const namesOf = (marks: JSHandle<HTMLElement[]>): Promise<string[]> =>
  marks.evaluate((elements) =>
    elements.map((element) => {
      const { className } = element.parentElement ?? element;
      const words = element.ariaLabel ?? element.textContent ?? '';
      return `${element.localName}.${element.getAttribute('class') ?? ''} "${words.slice(0, 30)}" in ${className}`;
    }),
  );

/** On a page that may have canvases: whether each box, and whether its edge, has more than one colour. */
async function told(desk: Page, page: Page, marks: JSHandle<HTMLElement[]>) {
  const boxes = await boxesOf(marks);
  const picture = (await page.screenshot()).toString('base64');
  return desk.evaluate(
    async ([base64, all]) => {
      const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
      const bitmap = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const pen = canvas.getContext('2d', { willReadFrequently: true });
      if (!pen) throw new Error('no canvas');
      pen.drawImage(bitmap, 0, 0);
      const several = (left: number, top: number, right: number, bottom: number) => {
        const [x, y] = [Math.max(0, left), Math.max(0, top)];
        const [width, height] = [Math.min(bitmap.width, right) - x, Math.min(bitmap.height, bottom) - y];
        if (width < 1 || height < 1) return false;
        const { data } = pen.getImageData(x, y, width, height);
        for (let at = 4; at < data.length; at++)
          if (at % 4 < 3 && Math.abs((data[at] ?? 0) - (data[at % 4] ?? 0)) > 10) return true;
        return false;
      };
      return all.map(({ left, top, width, height, edged }) => {
        const [l, t] = [Math.floor(left), Math.floor(top)];
        const [r, b] = [Math.ceil(left + width), Math.ceil(top + height)];
        const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
        return {
          inside: several(l - 2, t - 2, r + 2, b + 2),
          edge:
            edged &&
            (several(l - 3, y, l + 3, y + 1) ||
              several(r - 3, y, r + 3, y + 1) ||
              several(x, t - 3, x + 1, t + 3) ||
              several(x, b - 3, x + 1, b + 3)),
        };
      });
    },
    [picture, boxes] as const,
  );
}

const forced = (page: Page, is: boolean) =>
  page.emulateMedia({ forcedColors: is ? 'active' : 'none', reducedMotion: 'reduce' });

/** In words: what has lost itself, or the edge of a ground of its own. */
export async function lostIn(desk: Page, page: Page): Promise<string[]> {
  await forced(page, false);
  const marks = await marksOn(page);
  const before = await told(desk, page, marks);
  await forced(page, true);
  const after = await told(desk, page, marks);
  const names = await namesOf(marks);
  await marks.dispose();
  return names.flatMap((name, i) => [
    ...(before[i]?.inside && !after[i]?.inside ? [`${name} is not to be seen`] : []),
    ...(before[i]?.edge && !after[i]?.edge ? [`${name} has no edge`] : []),
  ]);
}

/** By which a control, a row or an answer says how it stands. */
const SIGNS = [
  '.chosen',
  '.has-news',
  '.is-failed',
  '.is-new',
  '.mine',
  ':checked',
  '[aria-checked=true]',
  '[aria-disabled=true]',
  '[aria-expanded=true]',
  '[aria-invalid=true]',
  '[aria-pressed=true]',
];

/**
 * In words: by which signs nobody would know any more how something stands.
 * @param seen those that need not be looked at again, in whichever state; added to
 */
export async function signsLostIn(page: Page, seen: Set<string>): Promise<string[]> {
  await forced(page, false);
  const bearers = await page.evaluateHandle((signs) => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    return signs.flatMap((sign) =>
      [...(root?.querySelectorAll<HTMLElement>(sign) ?? [])]
        .filter((element) => !element.closest('[inert], .sr') && element.checkVisibility())
        .map((element) => ({
          sign,
          element,
          name: `${element.classList[0] ?? element.localName} by ${sign}`,
        })),
    );
  }, SIGNS);
  const found = await bearers.evaluate((all) =>
    all.map(({ element, name }) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { name, clip: { x: left - 4, y: top - 4, width: width + 8, height: height + 8 } };
    }),
  );
  const lost: string[] = [];
  for (const [i, { name, clip }] of found.entries()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const set = (on: boolean) =>
      bearers.evaluate(
        (all, [at, is]) => {
          const { sign, element } = all[at] ?? {};
          if (sign?.startsWith('.')) element?.classList.toggle(sign.slice(1), is);
          else if (element instanceof HTMLInputElement && sign === ':checked') element.checked = is;
          else if (sign) element?.setAttribute(sign.slice(1, sign.indexOf('=')), String(is));
        },
        [i, on] as const,
      );
    const tells = async (is: boolean) => {
      await forced(page, is);
      const before = await page.screenshot({ clip });
      await set(false);
      const after = await page.screenshot({ clip });
      await set(true);
      return !before.equals(after);
    };
    if ((await tells(false)) && !(await tells(true))) lost.push(`nobody is told of a ${name}`);
  }
  await bearers.dispose();
  return lost;
}
