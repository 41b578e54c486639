/** Whom a form has ticked and unticked. Pure; a colleague may have done so with others meanwhile. */
export function peopleBetween(before: readonly string[], after: readonly string[]) {
  return {
    come: after.filter((id) => !before.includes(id)).map(Number),
    go: before.filter((id) => !after.includes(id)).map(Number),
  };
}
