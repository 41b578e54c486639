/** Which language the visitor is spoken to in: a pure choice among what they read and what there is. */

/** Written and read from right to left. */
const RTL = /^(?:ar|ckb|dv|fa|he|ku-Arab|ps|sd|ug|ur|yi)\b/;

/** Languages whose readers read another one's words. */
const SERVED: Partial<Record<string, string>> = { no: 'nb', nn: 'nb', yue: 'zh' };

export const directionOf = (tag: string): 'ltr' | 'rtl' => (RTL.test(tag) ? 'rtl' : 'ltr');

/**
 * @param there the names of the catalogues, as `de`, `pt-BR` or `zh-Hant`
 * @returns the wanted tag (dates and numbers are written its way), in the script of the catalogue that serves it, and
 *   that catalogue; English at last
 */
export function chooseLocale(
  wanted: readonly string[],
  there: readonly string[],
): { tag: string; catalogue: string } {
  for (const tag of wanted) {
    const { language, script, region } = new Intl.Locale(tag).maximize();
    const spoken = SERVED[language] ?? language;
    const catalogue =
      [`${spoken}-${region}`, `${spoken}-${script}`, spoken].find((name) => there.includes(name)) ??
      there.findLast((name) => name.startsWith(`${spoken}-`));
    if (!catalogue) continue;
    // There is one catalogue for all the scripts of most languages, and dates stand within its sentences.
    const written = new Intl.Locale(catalogue).maximize().script;
    const own = spoken === language ? tag : `${new Intl.Locale(tag, { language: spoken })}`;
    return {
      tag:
        !written || written === new Intl.Locale(own).maximize().script
          ? own
          : `${new Intl.Locale(own, { script: written })}`,
      catalogue,
    };
  }
  return { tag: 'en', catalogue: 'en' };
}
