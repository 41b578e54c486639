/** The path of each engine that is here now. */
export function engines(): {
  chromium: string | undefined;
  /** Chromium without the parts around its pages. */
  shell: string | undefined;
  firefox: string | undefined;
  webkit: { driver: string; browser: string; display: string } | undefined;
};
/** With which Chromium starts wherever it is tested or measured. */
export const switches: readonly string[];
export const howToGet: Record<'chromium' | 'firefox' | 'webkit', string>;
/** Whether PostgreSQL is here, after one attempt to install it. */
export function installPostgres(): boolean;
export const howToGetPostgres: string;
/** The path of nginx, where it is here now. */
export function findNginx(): string | undefined;
/** Whether nginx is here, after one attempt to install it. */
export function installNginx(): boolean;
export const howToGetNginx: string;
export type Language = 'Python' | 'PHP' | 'Ruby' | 'Go' | 'Java';
/** @returns whether this machine can run a program in it */
export function speaks(language: Language): boolean;
/** @returns those that are not here, after one attempt to install those that are small, and how each is got */
export function missingLanguages(): { language: Language; isLarge: boolean; howToGet: string }[];
