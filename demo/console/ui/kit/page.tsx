/** The frame of every page but the inbox: its heading, what can be done, what is wrong, and what is in it. */
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons.js';
import { usePageName } from '../title.js';
import { useArrival } from './use-arrival.js';
import { useHeir } from './use-heir.js';

interface Props {
  title: string;
  lead?: string;
  /** The page above this one. */
  back?: { href: string; label: string };
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function PageFrame({ title, lead, back, actions, children }: Props) {
  const heading = useArrival();
  usePageName(title);
  return (
    <div class="page-frame">
      {back && (
        <a class="back-link" href={back.href}>
          <Icon name="back" />
          {back.label}
        </a>
      )}
      <header class="page-head">
        <div>
          <h1 ref={heading} dir="auto" tabIndex={-1}>
            {title}
          </h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Card({
  title,
  lead,
  children,
}: {
  title?: string;
  lead?: string;
  children: ComponentChildren;
}) {
  return (
    <section class="card">
      {title && <h2>{title}</h2>}
      {lead && <p class="card-lead">{lead}</p>}
      {children}
    </section>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="nothing-here">
      <p class="nothing-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  );
}

/** What could not be loaded, with a way to try again. */
export function Problem({ text, onRetry }: { text: string; onRetry(): void }) {
  const ref = useHeir<HTMLParagraphElement>((going) =>
    going
      .closest('form, dialog, .details, .page-frame')
      ?.querySelector<HTMLElement>(':is(h1, h2)[tabindex], input, select, textarea'),
  );
  return (
    <p ref={ref} role="alert" class="banner">
      <span>{text}</span>
      <button type="button" class="quiet" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}

export function Pager(props: { page: number; pages: number; onPage(page: number): void; what: string }) {
  const { page, pages, onPage, what } = props;
  if (pages < 2) return null;
  return (
    // A button that is disabled loses the focus, and who turned to the last page could not turn back.
    <nav class="pager" aria-label={what}>
      <button
        type="button"
        class="secondary"
        aria-disabled={page <= 1}
        onClick={() => page > 1 && onPage(page - 1)}
      >
        <Icon name="back" /> Previous
      </button>
      <span>
        Page {page} of {pages}
      </span>
      <button
        type="button"
        class="secondary"
        aria-disabled={page >= pages}
        onClick={() => page < pages && onPage(page + 1)}
      >
        Next <Icon name="forward" />
      </button>
    </nav>
  );
}

/** One of a list of the page. When it goes with the focus in it, the first that can be done on the page has it. */
export function Row({ look, children }: { look?: string; children: ComponentChildren }) {
  const ref = useHeir<HTMLLIElement>((going) =>
    going.closest('.page-frame')?.querySelector<HTMLElement>('.page-actions :is(a, button)'),
  );
  return (
    <li ref={ref} class={look}>
      {children}
    </li>
  );
}
