export interface LocalPostgres {
  url: string;
  pid: number | undefined;
  /** Resolves when it has ended, whoever ended it. */
  ended: Promise<unknown>;
  /** The last lines of its log. */
  said(): string;
  stop(): Promise<void>;
}
export const howToGetPostgres: string;
export function findPostgres(major?: number): string | undefined;
export function startPostgres(
  folder: string,
  settings?: Record<string, string>,
  how?: { ownGroup?: boolean },
): Promise<LocalPostgres>;
