/** How all our drawings are drawn, and those of them that are there before whoever draws the others. */
export const DRAWN = {
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
export const SEND_PATH = 'M12 19V6m0 0-6 6m6-6 6 6';
export const CLOSE_PATH = 'M6 6l12 12M18 6 6 18';
