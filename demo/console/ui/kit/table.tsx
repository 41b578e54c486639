/** A table that scrolls in its own frame where it is wider than the page. */
import type { ComponentChildren } from 'preact';

interface Props {
  label: string;
  /** How its columns look. */
  look?: string;
  columns: readonly ComponentChildren[];
  /** Its rows. */
  children: ComponentChildren;
}

export function Table({ label, look = '', columns, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section class="table-frame" aria-label={label} tabIndex={0}>
      <table class={`table ${look}`}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
