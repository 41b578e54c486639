/** Our own drawings, 24 by 24, in the colour of the text. */
import type { JSX } from 'preact';

const DRAWN = {
  viewBox: '0 0 24 24',
  width: '24',
  height: '24',
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': '2',
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
  focusable: 'false',
} as const;

/** @param path stroked, not filled */
export const icon = (path: string) => (): JSX.Element => (
  <svg {...DRAWN} aria-hidden="true">
    <path d={path} />
  </svg>
);

export const CloseIcon = icon('M6 6l12 12M18 6 6 18');
export const DownIcon = icon('M12 5v13m0 0 6-6m-6 6-6-6');
export const AttachIcon = icon(
  'm20 11-8.5 8.5a5 5 0 0 1-7-7l9-9a3.3 3.3 0 0 1 4.7 4.7l-9 9a1.7 1.7 0 0 1-2.4-2.4L15 7',
);
export const MicIcon = icon(
  'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0m-7 7v3',
);
export const SmileIcon = icon(
  'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 14.5a4.5 4.5 0 0 0 7 0M9 9.5v.01m6-.01v.01',
);
export const MoreIcon = icon('M12 5v.01M12 12v.01M12 19v.01');
export const CheckIcon = icon('m5 13 5 5 9-11');
export const FileIcon = icon('M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zm0 0v5h5');
