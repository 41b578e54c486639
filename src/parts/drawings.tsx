/** Drawings for attachments. */
import { icon } from '../ui/icons.js';

export const DownloadIcon = icon('M12 4v11m0 0-4-4m4 4 4-4M5 20h14');
export const LinkIcon = icon('M9 15l6-6m-4-3 1-1a4.2 4.2 0 0 1 6 6l-1 1m-4 4-1 1a4.2 4.2 0 0 1-6-6l1-1');
export const SoundIcon = icon(
  'M9 18V6l10-2v12M9 18a3 2.5 0 1 1-6 0 3 2.5 0 0 1 6 0m10-2a3 2.5 0 1 1-6 0 3 2.5 0 0 1 6 0',
);
export const FilmIcon = icon('M4 6h16v12H4zm6 3.5v5l4.5-2.5z');
export const PinIcon = icon(
  'M12 21c4-4.5 7-7.5 7-11a7 7 0 0 0-14 0c0 3.5 3 6.5 7 11m0-8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
);
export const PersonIcon = icon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-7 8c0-3.5 3-5 7-5s7 1.5 7 5');
export const PictureIcon = icon('M4 5h16v14H4zm0 11 4.5-4.5 4 4L15 13l5 4M15.5 9h.01');
export const ZoomIcon = icon('M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13m5-1.5L21 21M7.5 10.5h6m-3-3v6');
export const NextIcon = icon('m9 5 7 7-7 7');
export const PreviousIcon = icon('m15 5-7 7 7 7');
