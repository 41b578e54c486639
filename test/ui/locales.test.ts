/** Every language says everything: no sentence, no placeholder and no form of number is missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { when } from '../../src/content/when.js';
import { optionsTable } from '../../src/options-table.js';
import { chooseLocale } from '../../src/text/choose.js';
import { english } from '../../src/text/english.js';
import { createSay, type Key, type Sentences } from '../../src/text/text.js';

const folder = join(import.meta.dirname, '../../src/text/locales');
const tags = readdirSync(folder).map((file) => basename(file, '.ts'));
const keys = Object.keys(english).filter((key): key is Key => key in english);
const catalogue = async (tag: string): Promise<Partial<Sentences>> =>
  (await import(`../../src/text/locales/${tag}.ts`)).default;

const placeholders = (sentence: string) => [...new Set(sentence.match(/\{\w+\}/g))].sort();
/** The most that a form may have: a form for one thing alone need not say the number. */
const without = (names: string[]) => names.filter((name) => name !== '{count}');

test('as many languages as are promised, among them those of the right-to-left', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const { meaning } = optionsTable.find(({ name }) => name === 'locale') ?? {};
  // English is no catalogue beside the others.
  for (const promise of [readme, meaning])
    expect(promise).toContain(` ${tags.length + 1} languages are spoken`);
  const drawing = readFileSync(join(import.meta.dirname, '../../demo/site/architecture.svg'), 'utf8');
  expect(drawing.replace(/(?:\s*<[^>]*>)+\s*/g, ' ')).toContain(` ${tags.length} languages beside English`);
  expect(tags).toEqual(
    expect.arrayContaining(['ar', 'he', 'fa', 'ur', 'pt-BR', 'pt-PT', 'zh-Hans', 'zh-Hant']),
  );
  expect(new Set(tags).size).toBe(tags.length);
});

test.each(tags)('%s lacks nothing', async (tag) => {
  const spoken = await catalogue(tag);
  const findings: string[] = [];
  const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
  for (const key of keys) {
    const ours = english[key];
    const theirs = spoken[key];
    if (theirs === undefined) {
      findings.push(`${key} is missing`);
    } else if (typeof ours === 'string' || typeof theirs === 'string') {
      const same =
        typeof ours === 'string' &&
        typeof theirs === 'string' &&
        String(placeholders(ours)) === String(placeholders(theirs));
      if (!same || !theirs.trim()) findings.push(`${key} does not fit: ${theirs}`);
    } else {
      const wanted = placeholders(ours.other);
      for (const form of forms) {
        const found = theirs[form] === undefined ? undefined : placeholders(theirs[form]);
        const single = form === 'zero' || form === 'one' || form === 'two';
        const fits =
          found &&
          (String(found) === String(wanted) || (single && String(found) === String(without(wanted))));
        if (!fits) findings.push(`${key} has no fitting form for ${form}`);
      }
    }
  }
  for (const key of Object.keys(spoken)) if (!(key in english)) findings.push(`${key} is said by nobody`);
  expect(findings).toEqual([]);
});

test.each(tags)('%s can be spoken: numbers, names and forms are filled in', async (tag) => {
  const say = createSay(tag, await catalogue(tag));
  const values = {
    name: 'Ada',
    words: 'w',
    names: 'n',
    size: 3,
    limit: 'l',
    label: 'b',
    email: 'e',
    host: 'h',
  };
  const more = { time: 't', weekday: 'd', date: 'x' };
  for (const key of keys) {
    for (const count of [0, 1, 2, 3, 5, 11, 21, 100, 1.5]) {
      const said = say(key, { ...values, ...more, count });
      expect(said, key).not.toMatch(/\{\w+\}/);
      expect(said.trim(), key).not.toBe('');
    }
  }
});

/** Those that a language is spoken in, as far as the times of its are written otherwise there. */
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const regions = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter((region) => regionNames.of(region));
const isKnown = (tag: string) => new Intl.DateTimeFormat(tag).resolvedOptions().locale === tag;
const languages = [...new Set(['en', ...tags].map((tag) => new Intl.Locale(tag).language))];

test.each(languages)('no sentence in %s ends twice after a time, wherever it is spoken', async (language) => {
  const there = [...tags, 'en'];
  const spoken = [language, ...regions.map((region) => `${language}-${region}`)].filter(isKnown);
  const findings: string[] = [];
  for (const wanted of spoken) {
    const { tag, catalogue: name } = chooseLocale([wanted], there);
    const say = createSay(tag, name === 'en' ? english : await catalogue(name));
    for (const hour of [9, 21]) {
      const at = Number(new Date(2026, 0, 5, hour, 5));
      const time = when(at, tag, { hour: 'numeric', minute: '2-digit' });
      const weekday = when(at, tag, { weekday: 'long', day: 'numeric', month: 'long' });
      const date = when(at, tag, { dateStyle: 'long' });
      for (const key of keys) {
        const said = say(key, { time, weekday, date, count: 5 });
        if (/\.\s*\./.test(said)) findings.push(`${wanted}: ${said}`);
      }
    }
  }
  expect(findings).toEqual([]);
});

/** Its marks stand apart from their words, and must not begin the next line. */
test('French breaks no line before a mark', async () => {
  expect(
    Object.entries(await catalogue('fr')).filter(([, said]) => / [:;!?»]|« /.test(JSON.stringify(said))),
  ).toEqual([]);
});

test('a finding is a finding: a catalogue with holes is not taken for a full one', async () => {
  const { sent: _gone, ...rest } = await catalogue('de');
  const holed: Partial<Sentences> = rest;
  expect(keys.filter((key) => holed[key] === undefined)).toEqual(['sent']);
});
