/** What a host page says of a visitor, fact by fact, as the service names them. It does not know who has heard of it. */
import type { ContactFields } from '../api/inbox.js';
import type { Scalar } from '../parley.js';

const ATTRIBUTE = 'custom_attributes.';

type Fact = readonly [name: string, value: Scalar];

/** @returns `email`, `custom_attributes.plan` and the like; who the visitor is, and the proof of it, are none of them */
export const facts = ({
  identifier: _who,
  identifier_hash: _proof,
  custom_attributes: more = {},
  ...own
}: ContactFields): Fact[] => [
  ...Object.entries(own),
  ...Object.entries(more).map(([name, value]): Fact => [ATTRIBUTE + name, value]),
];

/** What was said, and these facts of it were not. */
export function without(
  { custom_attributes: more, ...own }: ContactFields,
  left: ReadonlyMap<string, Scalar>,
): ContactFields {
  const kept = <T>(all: Record<string, T>, of = '') =>
    Object.fromEntries(Object.entries(all).filter(([name, value]) => left.get(of + name) !== value));
  return { ...kept(own), ...(more && { custom_attributes: kept(more, ATTRIBUTE) }) };
}
