/**
 * What the window and the files that come after it share, in one file of its own: a second Preact would not know the
 * first one's components. The build takes imports of these modules from here. It does not know who uses it.
 */
export { createContext, Fragment, h, render } from 'preact';
export { useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
export * from './context.js';
export * from './free.js';
export * from './icons.js';
export * from './later.js';
export * from './resized.js';
export * from './use-later.js';
export * from './use-store.js';
