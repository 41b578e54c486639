/** What the README says of options, calls, events and tokens is what types and table say; its server examples agree. */
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type OptionRow, optionsTable } from '../../src/options-table.js';
import { allowed } from '../../src/owner/explain.js';
import { speaks } from '../system.mjs';

const root = join(import.meta.dirname, '../..');
const source = (file: string) => readFileSync(join(root, file), 'utf8');
const readme = source('README.md');

/** The lines between two headings. */
function section(title: string): string {
  const [, after = ''] = readme.split(`\n### ${title}\n`);
  return after.split(/\n###? /)[0] ?? '';
}

/** The names in the first column of every table there. */
const firstColumn = (text: string) =>
  [...text.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );

/** The members of an interface, as its source writes them. */
function members(file: string, name: string): string[] {
  const [, after = ''] = source(file).split(`export interface ${name} {\n`);
  const [body = ''] = after.split('\n}');
  return [...body.matchAll(/^ {2}(\w+)[?<(:]/gm)].map(([, member = '']) => member);
}

const code = (text: string) => `\`${text}\``;
const rowOf = ({ attribute, choices, standard, meaning, example }: OptionRow): string =>
  `| ${code(attribute)} | ${choices ? choices.map(code).join(', ') : code(example)} | ${standard} | ${meaning} |`;

test('each option is in types, table and README, and nowhere is one more', () => {
  const typed = members('src/options.ts', 'ParleyOptions');
  expect(optionsTable.map(({ name }) => name).sort()).toEqual([...typed].sort());
  const written = section('Options');
  for (const row of optionsTable) {
    expect(written).toContain(`${rowOf(row)}\n`);
    // Whoever writes it wrong is told what to write.
    expect(allowed(row.name, true), row.name).toBeTruthy();
  }
  expect(firstColumn(written).sort()).toEqual(optionsTable.map(({ attribute }) => attribute).sort());
});

test('each option, each call and each event has a sentence in its types; an option’s is that of the table', () => {
  const plain = (text: string) => text.replace(/[\s*]+/g, ' ').trim();
  const sentences = (file: string, name: string) => {
    const [, after = ''] = source(file).split(`export interface ${name} {\n`);
    const [body = ''] = after.split('\n}');
    const each = body.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^ {2}(\w+)[?<(:]/gm);
    return Object.fromEntries([...each].map(([, said = '', member = '']) => [member, plain(said)]));
  };
  const options = sentences('src/options.ts', 'ParleyOptions');
  for (const { name, meaning } of optionsTable)
    expect(options[name]?.toLowerCase(), name).toBe(`${plain(meaning)}.`.toLowerCase());
  for (const name of ['Parley', 'Events'])
    expect(Object.entries(sentences('src/parley.ts', name)).filter(([, said]) => !said)).toEqual([]);
});

test('each call, each event and each reason is in types and README', () => {
  const calls = firstColumn(section('Calls')).filter((name) => name.includes('('));
  expect(calls.map((call) => call.replace(/\(.*/, '')).sort()).toEqual(
    members('src/parley.ts', 'Parley').sort(),
  );
  expect(firstColumn(section('Events')).sort()).toEqual(members('src/parley.ts', 'Events').sort());
  const [, failure = ''] = source('src/parley.ts').split('export interface Failure {');
  const kinds = [...(failure.split('message: string')[0] ?? '').matchAll(/\| '(\w+)'/g)].map(
    ([, kind]) => kind,
  );
  const told = firstColumn(section('Calls')).filter((name) => !name.includes('(') && name !== 'error.kind');
  expect(told.sort()).toEqual(kinds.sort());
});

test('each token of a theme and each word about a visitor is in types and README', () => {
  const told = firstColumn(section('Colours and measures')).filter((name) => name !== 'setTheme');
  expect(told.sort()).toEqual(members('src/parley.ts', 'Theme').sort());
  const who = firstColumn(section('Who the visitor is'));
  expect(who.sort()).toEqual(members('src/parley.ts', 'Who').sort());
});

test('each variable of the service is in the README, and nowhere is one more', () => {
  const [, asked = ''] = source('demo/service/main.ts').split('const environment = z.object({\n');
  const names = [...(asked.split('\n});')[0] ?? '').matchAll(/^ {2}(\w+): z/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(5);
  const [, after = ''] = readme.split('\n## Running the service\n');
  expect(firstColumn(after.split('\n## ')[0] ?? '').sort()).toEqual([...names].sort());
});

test('each part that a style sheet can reach is in the README, and nowhere is one more', () => {
  const [, told = ''] =
    /has parts for your style sheet, as in [^:]*::part[^:]*:[^:]*:\s([^.]*)\./.exec(readme) ?? [];
  const parts = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...source(`src/${file}`).matchAll(/\bpart(?:="|: ')(\w+)/g)].map(([, name]) => name));
  expect([...told.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual([...new Set(parts)].sort());
});

const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));

test('each example is of a kind that a test compiles, runs or reads', () => {
  const readBy: Record<string, string> = {
    sh: 'owner/readme, page/page',
    html: 'browser/readme',
    nginx: 'nginx/nginx',
    ts: 'browser/packages',
    tsx: 'browser/packages',
    vue: 'browser/packages',
    js: 'owner/readme',
    python: 'owner/readme',
    php: 'owner/readme, browser/packages',
    ruby: 'owner/readme, browser/packages',
    go: 'owner/readme, browser/packages',
    java: 'owner/readme, browser/packages',
    kotlin: 'page/page, browser/packages',
    swift: 'page/page, browser/packages',
    dart: 'page/page, browser/packages',
    jsx: 'page/page',
    // Policies, headers, an address and the folders.
    '': 'browser/policy, nginx/nginx, page/page, owner/readme',
  };
  expect([...new Set(blocks.map(({ kind }) => kind))].sort()).toEqual(Object.keys(readBy).sort());
  for (const file of Object.values(readBy).flatMap((files) => files.split(', ')))
    expect(source(`test/${file}.test.ts`), file).toContain('README.md');
  // Those without a kind are told apart by how they begin.
  const plain = blocks.filter(({ kind }) => !kind).map(({ text }) => text);
  for (const text of plain) expect(text).toMatch(/^(?:script-src |\/\*\n|https:\/\/|src\/embed )/);
  // These are compiled for their imports.
  for (const { kind, text } of blocks)
    if (/^(?:tsx?|vue)$/.test(kind)) expect(text).toContain("from 'parley");
});

test('what is to be typed is a script of the package', () => {
  const { scripts } = JSON.parse(source('package.json'));
  const typed = [
    ...readme.matchAll(/(?:`|^|&& |FALLBACK=\S+ |LOCALES=\S+ )npm (?:run )?(start|test|[\w:]+)/gm),
  ]
    .map(([, name = '']) => name)
    .filter((name) => !['ci', 'publish', 'pack', 'version'].includes(name));
  expect(typed.length).toBeGreaterThan(20);
  for (const name of typed) expect(Object.keys(scripts)).toContain(name);
});

test('the list of changes begins with what is to come, and then with this version', () => {
  const headings = [...source('src/package/CHANGELOG.md').matchAll(/^## (\S+)/gm)].map(([, name]) => name);
  expect(headings.slice(0, 2)).toEqual(['Unreleased', JSON.parse(source('package.json')).version]);
});

test('what is said to lie in a folder lies there', () => {
  const [{ text = '' } = {}] = blocks.filter(({ text }) => text.startsWith('src/embed '));
  const named = [...text.matchAll(/\b(src|demo)\/(\w+)/g)].map(([path]) => path);
  const [, several = ''] = /src\/emoji, ([\w, ]+)/.exec(text) ?? [];
  const all = [...named, ...several.split(', ').map((name) => `src/${name}`)];
  for (const part of ['src', 'demo'])
    expect(all.filter((path) => path.startsWith(`${part}/`)).sort()).toEqual(
      readdirSync(join(root, part), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${part}/${name}`)
        .sort(),
    );
});

describe('a proof of identity', () => {
  const text = section('Who the visitor is');
  const [, key = '', identifier = '', vector = ''] =
    /key `([^`]+)` and the identifier `([^`]+)` each of them gives\s+`([\da-f]{64})`/.exec(text) ?? [];
  const example = (language: string) => {
    const found = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1];
    if (!found) throw new Error(`the README has no example in ${language}`);
    return found;
  };
  const hashOf = (who: string) => createHmac('sha256', key).update(who).digest('hex');
  const folder = mkdtempSync(join(tmpdir(), 'parley-proof-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** @returns what the program says */
  function run(command: string, file: string, program: string): string {
    const path = join(folder, file);
    writeFileSync(path, program);
    const args = command === 'go' ? ['run', path] : [path];
    const { status, stdout, stderr } = spawnSync(command, args, {
      env: { ...process.env, PARLEY_HMAC_TOKEN: key, PYTHONUTF8: '1' },
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
    return stdout.trim();
  }

  test('the README’s example is one', () => {
    expect(vector).toBe(hashOf(identifier));
  });

  const java = (
    body: string,
  ) => `import java.nio.charset.*; import java.security.*; import java.util.HexFormat;
    import javax.crypto.Mac; import javax.crypto.spec.SecretKeySpec;
    class Proof { ${body}
      public static void main(String[] args) throws Exception {
        System.out.println(hashOf("${identifier}")); System.out.println(hashOf("k\\u00e4ytt\\u00e4j\\u00e4"));
      } }`;
  const go = (body: string) => `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/hex"; "fmt"; "os")
${body}
func main() { fmt.Println(HashOf("${identifier}")); fmt.Println(HashOf("käyttäjä")) }`;

  const examples = [
    [
      'Node',
      'js',
      process.execPath,
      'proof.mjs',
      (body: string) => `${body}\nfor (const who of ['${identifier}', 'käyttäjä']) console.log(hashOf(who));`,
      /createHmac\('sha256', [^)]+\)\.update\(identifier\)\.digest\('hex'\)/,
    ],
    [
      'Python',
      'python',
      'python3',
      'proof.py',
      (body: string) => `${body}\nprint(hash_of("${identifier}"))\nprint(hash_of("käyttäjä"))\n`,
      /hmac\.new\(key, identifier\.encode\(\), hashlib\.sha256\)\.hexdigest\(\)/,
    ],
    [
      'PHP',
      'php',
      'php',
      'proof.php',
      (body: string) => `<?php\n${body}\necho hash_of("${identifier}"), "\\n", hash_of("käyttäjä"), "\\n";`,
      /hash_hmac\('sha256', \$identifier, getenv\('PARLEY_HMAC_TOKEN'\)\)/,
    ],
    [
      'Ruby',
      'ruby',
      'ruby',
      'proof.rb',
      (body: string) => `${body}\nputs hash_of("${identifier}")\nputs hash_of("käyttäjä")\n`,
      /OpenSSL::HMAC\.hexdigest\('SHA256', ENV\.fetch\('PARLEY_HMAC_TOKEN'\), identifier\)/,
    ],
    [
      'Go',
      'go',
      'go',
      'proof.go',
      go,
      /hmac\.New\(sha256\.New, \[\]byte\(os\.Getenv\("PARLEY_HMAC_TOKEN"\)\)\)[\s\S]*mac\.Write\(\[\]byte\(identifier\)\)[\s\S]*hex\.EncodeToString\(mac\.Sum\(nil\)\)/,
    ],
    [
      'Java',
      'java',
      'java',
      'Proof.java',
      java,
      /Mac\.getInstance\("HmacSHA256"\)[\s\S]*mac\.init\([\s\S]*formatHex\(mac\.doFinal\(identifier\.getBytes\(StandardCharsets\.UTF_8\)\)\)/,
    ],
  ] as const;

  test.each(examples)('has key and identifier in their places, in %s', (...[, kind, , , , shape]) => {
    expect(example(kind)).toMatch(shape);
  });

  // `npm test` installs what is small, and says what was not run.
  for (const [language, kind, command, file, program] of examples)
    test.skipIf(language !== 'Node' && !speaks(language))(
      `is made in ${language}`,
      { timeout: 90_000 },
      () => {
        const said = run(command, file, program(example(kind)));
        expect(said.split('\n')).toEqual([hashOf(identifier), hashOf('käyttäjä')]);
      },
    );
});

/** All of WCAG 2.2, levels A and AA. */
const CRITERIA = {
  A: '1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4 2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2',
  AA: '1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 2.5.8 3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3',
};

test('the conformance report answers each criterion once, and what shows it is there', () => {
  const rows = [
    ...section('Conformance report').matchAll(/^\| ([\d.]+) [^|]*\| (A+) \| ([^|]+) \|([^|]+)\|([^|]+)\|$/gm),
  ];
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  for (const [level, criteria] of Object.entries(CRITERIA))
    expect(rows.filter((row) => row[2] === level).map(([, criterion]) => criterion)).toEqual(
      criteria.split(' '),
    );
  for (const [line, , , says = '', , shown = ''] of rows) {
    expect(['supports', 'in part', 'not applicable'], line).toContain(says);
    const names = [...shown.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    expect(names.length > 0, line).toBe(says !== 'not applicable');
    for (const name of names)
      expect(
        tests.some((file) => file.includes(`/${name}.test.ts`) || file.includes(`\\${name}.test.ts`)),
        line,
      ).toBe(true);
  }
});
