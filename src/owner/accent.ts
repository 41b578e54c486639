/**
 * Whether a colour can be an accent, for those who look before a visitor does: found by what the window itself asks. It
 * does not know where the colour is written.
 */
import { bytesOf } from '../theme/theme.js';
import { asBytes } from '../ui/dress.js';

/** @param root where it is to be worn; while that is nowhere, what browsers take for a colour is one */
export const isAccent = (root: ParentNode, colour: string): boolean =>
  bytesOf(colour) !== undefined ||
  (CSS.supports('color', colour) && (!root.isConnected || bytesOf(asBytes(root, colour)) !== undefined));

/** What to write instead of a colour that the window does not take. */
export const accents =
  'a colour without transparency, as #…, rgb(), hsl(), hwb() or a name: of others, like oklch(), the chat does not know how to derive its own';
