/**
 * Labels put on a conversation and taken off it: each change is made of what the service holds by then, because it takes
 * whole lists and a colleague may have changed them. Knows no list, no markup, and no other change on its way.
 */
import type { Api } from '../api.js';
import type { Result } from '../errors.js';

export async function label(api: Api, id: number, title: string, isOn: boolean): Promise<Result<unknown>> {
  const held = await api.labelsOf(id);
  if (!held.ok) return held;
  const others = held.value.filter((one) => one !== title);
  return api.setLabels(id, isOn ? [...others, title] : others);
}
