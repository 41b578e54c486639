/** An arrow to where one came from; it turns with the direction of writing. */
import { icon } from '../ui/icons.js';

export const BackIcon = icon('M15 5l-7 7 7 7');
