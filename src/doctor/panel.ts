/**
 * The doctor's panel, in plain DOM and a shadow root of its own: a list of what was checked, and the report to copy.
 * It is no modal: the chat and the page can be used beside it. It does not know what is checked, nor how.
 */
import { adoptStyles } from '../styles.js';
import css from './doctor.css?inline';
import type { Level, Result } from './finding.js';
import { words } from './report.js';

const levels: readonly Level[] = ['problem', 'warning', 'unknown', 'ok'];

const SVG = 'http://www.w3.org/2000/svg';

const drawings: Record<Level | 'waiting', string> = {
  ok: 'M5 12.5l4.5 4.5L19 7.5',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.1',
  problem: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  unknown: 'M6 12h12',
  waiting: 'M12 5v.1M19 12h.1M12 19v.1M5 12h.1',
};

function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function drawing(level: Level | 'waiting'): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = svg.appendChild(document.createElementNS(SVG, 'path'));
  path.setAttribute('d', drawings[level]);
  return svg;
}

export interface Panel {
  host: HTMLElement;
  /** Every check, none of them done. */
  begin: (titles: readonly string[]) => void;
  put: (result: Result) => void;
  end: (summary: string, worst: Level, report: string) => void;
}

/**
 * @param again what a press on “Check again” does
 * @param left hears that it was closed
 */
export function createPanel(nonce: string, again: () => void, left: () => void): Panel {
  const host = document.createElement('parley-doctor');
  const root = host.attachShadow({ mode: 'open' });
  adoptStyles(root, css, nonce);

  const summary = make('p', { class: 'summary', role: 'status' });
  const list = make('ul');
  const text = make('textarea', { readonly: '', rows: '10', 'aria-label': 'Report', spellcheck: 'false' });
  const more = make('details', {}, make('summary', {}, 'The report as text'), text);
  const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close the doctor' });
  close.append(drawing('problem'));
  const copy = make('button', { type: 'button', class: 'primary' }, 'Copy the report');
  const repeat = make('button', { type: 'button' }, 'Check again');
  const said = make('span', { class: 'said', role: 'status' });
  const panel = make(
    'div',
    { class: 'doctor', role: 'dialog', 'aria-labelledby': 'title', tabindex: '-1', popover: 'manual' },
    make(
      'div',
      { class: 'sheet', lang: 'en', dir: 'ltr' },
      make('header', {}, make('h2', { id: 'title' }, 'Parley doctor'), close),
      make(
        'div',
        { class: 'body', tabindex: '0', role: 'group', 'aria-label': 'What was checked' },
        summary,
        list,
        more,
      ),
      make('footer', {}, copy, repeat, said),
    ),
  );
  root.append(panel);
  document.documentElement.append(host);
  const before = document.activeElement;
  panel.showPopover?.();
  panel.focus({ preventScroll: true });

  close.onclick = () => {
    host.remove();
    left();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  repeat.onclick = () => {
    if (repeat.getAttribute('aria-disabled') !== 'true') again();
  };
  copy.onclick = async () => {
    if (copy.getAttribute('aria-disabled') === 'true') return;
    try {
      await navigator.clipboard.writeText(text.value);
      said.textContent = 'Copied.';
    } catch {
      more.open = true;
      text.focus();
      text.select();
      said.textContent = 'Press Ctrl+C or ⌘C.';
    }
  };
  // The page's own keys are not meant.
  panel.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') close.click();
  };

  const rows = new Map<string, HTMLLIElement>();
  const busy = (is: boolean) => {
    for (const button of [copy, repeat]) button.setAttribute('aria-disabled', String(is));
    more.hidden = is;
  };
  const row = (title: string, level: Level | 'waiting', word: string, says: string[]) => [
    drawing(level),
    make('div', {}, make('strong', {}, title), ' ', make('span', { class: 'word' }, word)),
    ...says.map((sentence) => make('p', {}, sentence)),
  ];
  return {
    host,
    begin(titles) {
      busy(true);
      said.textContent = '';
      panel.dataset.level = 'waiting';
      summary.textContent = 'Looking at this page and its way to the service…';
      rows.clear();
      for (const title of titles) {
        const item = make('li', { class: 'waiting' });
        item.append(...row(title, 'waiting', 'checking', []));
        rows.set(title, item);
      }
      list.replaceChildren(...rows.values());
    },
    put({ title, level, findings }) {
      const item = rows.get(title);
      if (!item) return;
      item.className = level;
      item.replaceChildren(
        ...row(
          title,
          level,
          words[level],
          findings.map(({ says }) => says),
        ),
      );
    },
    end(sentence, worst, report) {
      busy(false);
      panel.dataset.level = worst;
      // What wants work comes first.
      for (const level of levels) list.append(...list.querySelectorAll(`:scope > .${level}`));
      summary.textContent = sentence;
      text.value = report;
    },
  };
}
