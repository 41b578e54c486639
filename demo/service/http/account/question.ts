/**
 * What a question must have to be one: quick replies something to choose, cards something to press, and neither a key
 * that nobody would read. Other kinds are not checked, as with the reference.
 */
import { z } from 'zod';
import { check } from '../read.js';

const anything = z.unknown().optional();
const choice = z.strictObject({ title: anything, value: anything });
const action = z.strictObject({ type: anything, text: anything, uri: anything, payload: anything });
const card = z.strictObject({
  title: anything,
  description: anything,
  media_url: anything,
  actions: z.array(action).min(1),
});
const items = {
  input_select: z.array(choice).min(1),
  cards: z.array(card).min(1),
};
const isChecked = (type: string): type is keyof typeof items => Object.hasOwn(items, type);

/** @throws Refusal 422 that names the item at fault */
export function checkQuestion(body: {
  content_type: string;
  content_attributes: Record<string, unknown>;
}): void {
  if (!isChecked(body.content_type)) return;
  const attributes = z.object({ items: items[body.content_type] });
  check(z.object({ content_attributes: attributes }), body, 'body');
}
