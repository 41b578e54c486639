/**
 * Labels put on a conversation and taken off it: one change of a conversation at a time, each made of what the service
 * holds by then, because it takes whole lists and a colleague may have changed them. Knows no list and no markup.
 */
import type { Api } from '../api.js';
import type { Result } from '../errors.js';

export function createLabelling(api: Api) {
  const last = new Map<number, Promise<unknown>>();

  async function turn(id: number, label: string, isOn: boolean): Promise<Result<unknown>> {
    const held = await api.labelsOf(id);
    if (!held.ok) return held;
    const others = held.value.filter((one) => one !== label);
    return api.setLabels(id, isOn ? [...others, label] : others);
  }

  return async (id: number, label: string, isOn: boolean): Promise<Result<unknown>> => {
    const before = last.get(id);
    const mine = (async () => {
      await before;
      return turn(id, label, isOn);
    })();
    last.set(id, mine);
    const answer = await mine;
    if (last.get(id) === mine) last.delete(id);
    return answer;
  };
}
