/**
 * The focus for the heading of where somebody has come to: what led there has gone with its page. The first page
 * leaves it where the browser begins.
 */
import type { RefObject } from 'preact';
import { useOrphan } from './use-orphan.js';

const began = location.hash;
let moved = false;

export function useArrival(): RefObject<HTMLHeadingElement | null> {
  moved ||= location.hash !== began;
  return useOrphan<HTMLHeadingElement>(moved);
}
