/**
 * Whether a colour can be an accent, for those who look before a visitor does: found by what the window itself asks. It
 * does not know where the colour is written.
 */
import { bytesOf } from '../theme/theme.js';
import { asBytes } from '../ui/dress.js';

/** @param root where it is to be worn; browsers read a colour only in what is on the page */
export const isAccent = (root: ParentNode, colour: string): boolean =>
  bytesOf(colour) !== undefined ||
  (CSS.supports('color', colour) &&
    bytesOf(asBytes(root.isConnected ? root : document.documentElement, colour)) !== undefined);

/** What to write instead of a colour that the window does not take. */
export const accents =
  'a colour without transparency, as #…, rgb(), hsl(), hwb() or a name: of others, like oklch(), the chat does not know how to derive its own';
