/** Drawings for answers. */
import { icon } from '../ui/icons.js';

export const CheckIcon = icon('m5 12.5 4.5 4.5L19 7.5');

const face = (mouth: string) => icon(`M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9 9.5v.01m6-.01v.01${mouth}`);
/** From the worst to the best. */
export const faces = [
  face('M8 16.5q4-4.5 8 0'),
  face('M8.5 15.8q3.5-1.8 7 0'),
  face('M8.5 15h7'),
  face('M8.5 14.2q3.5 2 7 0'),
  face('M7.5 13.5q4.5 6 9 0'),
] as const;
export const StarIcon = icon('m12 3.4 2.7 5.5 6 .9-4.4 4.2 1 6-5.3-2.8L6.7 20l1-6-4.4-4.2 6-.9z');
