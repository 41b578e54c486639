/** What keyboards of other scripts write where signs of a Latin one are read: full-width ones, and digits of their own. */
export const plain = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Nd}/gu, (sign) => {
    // Every script has its ten in a row.
    const code = sign.codePointAt(0) ?? 0;
    let before = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
    return `${before % 10}`;
  });

/** Signs that a name, `mailto:` or a list of addresses bring, or quotes: the service takes none of them. */
const EMAIL = /^[^\s@<>(),;:"\\]{1,64}@[^\s@.<>(),;:"\\]+(?:\.[^\s@.<>(),;:"\\]+)+$/;

/** @param text as `plain` gives it */
export const isEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text);
