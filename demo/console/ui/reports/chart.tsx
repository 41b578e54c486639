/**
 * Lines or bars over days, drawn by uPlot, which also makes the axes; the same figures as a table for whoever does
 * not see them. Knows no measure.
 */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface Props {
  label: string;
  kind: 'bars' | 'lines';
  /** Unix seconds. */
  days: readonly number[];
  lines: readonly { label: string; values: readonly (number | null)[] }[];
  show(value: number | null): string;
  /** What may lie between two lines of the axis; the library's own choice without it. */
  steps?: readonly number[];
}

const HEIGHT = 240;
const DAY = 86_400;
const colours = ['--chart-1', '--chart-2', '--chart-3'];
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

export function Chart({ label, kind, days, lines, show, steps }: Props) {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const box = place.current;
    if (!box) return;
    const plot = () => {
      const style = getComputedStyle(box);
      const colour = (name: string) => style.getPropertyValue(name).trim();
      const axis = {
        stroke: colour('--chart-ink'),
        grid: { stroke: colour('--chart-grid'), width: 1 },
        ticks: { stroke: colour('--chart-grid'), width: 1 },
        font: '12px system-ui',
      };
      const bars = lines.length;
      const options: uPlot.Options = {
        width: box.clientWidth,
        height: HEIGHT,
        legend: { show: true },
        cursor: { drag: { x: false, y: false } },
        scales: {
          x: { time: true, range: () => [(days[0] ?? 0) - DAY / 2, (days.at(-1) ?? 0) + DAY / 2] },
          y: { range: (_plot, _low, high) => [0, Math.max(1, (high ?? 0) * 1.1)] },
        },
        axes: [
          { ...axis, space: 60, values: (_plot, at) => at.map((one) => day.format(one * 1000)) },
          {
            ...axis,
            size: 56,
            ...(steps && { incrs: [...steps] }),
            values: (_plot, at) =>
              at.map((one) => (Number.isInteger(one) || kind === 'lines' ? show(one) : '')),
          },
        ],
        series: [
          { label: 'Day', value: (_plot, at) => (at === null ? '–' : day.format(at * 1000)) },
          ...lines.map((line, index): uPlot.Series => {
            const stroke = colour(colours[index % colours.length] ?? '');
            return {
              label: line.label,
              stroke,
              width: 2,
              spanGaps: true,
              value: (_plot, value) => show(value),
              points: { show: kind === 'lines', size: 6, fill: stroke },
              ...(kind === 'bars' && {
                fill: stroke,
                width: 0,
                paths: beside(index, bars),
              }),
            };
          }),
        ],
      };
      return new uPlot(options, [[...days], ...lines.map(({ values }) => [...values])], box);
    };
    let drawn = plot();
    const again = () => {
      drawn.destroy();
      drawn = plot();
    };
    const observer = new ResizeObserver(() => {
      if (drawn.width !== box.clientWidth) drawn.setSize({ width: box.clientWidth, height: HEIGHT });
    });
    observer.observe(box);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', again);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', again);
      drawn.destroy();
    };
  }, [days, lines, kind, show, steps]);

  return (
    <figure class="chart">
      <div ref={place} class="plot" aria-hidden="true" />
      <figcaption class="hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {lines.map((line) => (
                <th key={line.label} scope="col">
                  {line.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((at, index) => (
              <tr key={at}>
                <th scope="row">{day.format(at * 1000)}</th>
                {lines.map((line) => (
                  <td key={line.label}>{show(line.values[index] ?? null)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </figcaption>
    </figure>
  );
}

/** Bars of several series side by side within a day, by their left edges in seconds. */
function beside(index: number, count: number): uPlot.Series.PathBuilder {
  const width = (DAY * 0.72) / count;
  const bars = uPlot.paths.bars?.({
    disp: {
      x0: { unit: 1, values: (plot) => [...plot.data[0]].map((at) => at + (index - count / 2) * width) },
      size: { unit: 1, values: (plot) => [...plot.data[0]].map(() => width) },
    },
  });
  return (...given) => bars?.(...given) ?? null;
}
