/**
 * What has been set so far: options as they stand on a tag, and what the policy needs to know beside them. It can be
 * written as the part of a link behind `#`, and read from there. It does not know what an option means.
 */
import { type OptionName, type OptionRow, optionsTable } from '../../../src/options-table.js';

export type Values = Readonly<Partial<Record<OptionName, string>>>;

export const tabs = ['tag', 'npm', 'policy'] as const;
export type Tab = (typeof tabs)[number];
export const widths = ['phone', 'desktop'] as const;
export type Width = (typeof widths)[number];

export interface Draft {
  values: Values;
  /** The address of `parley.js`. */
  files: string;
  /** Hosts of uploads, where they are others than the service's. */
  uploads: string;
  /** How the policy knows the script: by a nonce, or by its host. */
  by: 'nonce' | 'host';
  tab: Tab;
  width: Width;
}

/** What holds where a link says nothing. */
export interface Standard {
  baseUrl: string;
  inboxIdentifier: string;
  files: string;
}

/** Whether it says something else than what holds anyway. */
export const isSaid = ({ standard }: OptionRow, value: string): boolean =>
  value !== '' && `\`${value}\`` !== standard;

export const emptyDraft = ({ baseUrl, inboxIdentifier, files }: Standard): Draft => ({
  values: { baseUrl, inboxIdentifier },
  files,
  uploads: '',
  by: 'nonce',
  tab: 'tag',
  width: 'phone',
});

const one = <T extends string>(all: readonly T[], value: string | null, instead: T): T =>
  all.find((known) => known === value) ?? instead;

/** @param hash with or without its `#`, by whomever it was written */
export function readDraft(hash: string, standard: Standard): Draft {
  const written = new URLSearchParams(hash.replace(/^#/, ''));
  const empty = emptyDraft(standard);
  const values: Partial<Record<OptionName, string>> = { ...empty.values };
  for (const { name } of optionsTable) {
    const value = written.get(name);
    if (value) values[name] = value;
    else if (value === '') delete values[name];
  }
  return {
    values,
    files: written.get('files') ?? empty.files,
    uploads: written.get('uploads') ?? '',
    by: one(['nonce', 'host'], written.get('by'), empty.by),
    tab: one(tabs, written.get('tab'), empty.tab),
    width: one(widths, written.get('width'), empty.width),
  };
}

/** Only what is not as it would be anyway: of the standard, also that it was emptied. */
export function writeDraft(draft: Draft, standard: Standard): string {
  const empty = emptyDraft(standard);
  const written = new URLSearchParams();
  for (const row of optionsTable) {
    const { [row.name]: value = '' } = draft.values;
    const { [row.name]: anyway = '' } = empty.values;
    if (value !== anyway && (value === '' || isSaid(row, value))) written.set(row.name, value);
  }
  for (const key of ['files', 'uploads', 'by', 'tab', 'width'] as const)
    if (draft[key] !== empty[key]) written.set(key, draft[key]);
  return written.toString();
}
