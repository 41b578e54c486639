/** Words to choose from, as sentences for owners list them. It does not know what they stand for. */
export const quoted = (all: readonly string[]) =>
  all
    .map((one) => `"${one}"`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
