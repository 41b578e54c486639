/** How large something is, told. It does not know of what. */
export const MB = 1024 * 1024;

/** How large a file is, in the units and digits of the visitor's language: the same before and after it was sent. */
export function sizeOf(bytes: number, locale: string): string {
  const [unit, value] =
    bytes < 1000 ? ['byte', bytes] : bytes < MB ? ['kilobyte', bytes / 1024] : ['megabyte', bytes / MB];
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: bytes < 1000 ? 'long' : 'short',
    maximumFractionDigits: value < 10 || bytes >= MB ? 1 : 0,
  }).format(value);
}
