/**
 * What a guest on other people's pages changes in the libraries it brings. Each change says why; one that finds nothing
 * to change any more ends the build, because then nobody knows what the library does instead. It does not know what we
 * build with them.
 */
import type { Plugin } from 'vite';

/** Pages of a certain age add members to Object.prototype, and a library's for…in walks them, too. */
const loop = /for\s*\(\s*((?:const|let|var)\s+)?(\w+|\$)\s+in\s+([^()]+)\)/g;
const GLOBAL = /globalThis\.nanostoresGlobal/;

type Change = [from: RegExp, to: string];

/**
 * Whoever asks here whether a value fits wants yes and the value, or no: synchronously, forwards, in no words. What
 * zod has for promises, for encoding, for messages, for compilers and for schemas that contain themselves is left out.
 * That the rest reads like all of zod is proved in test/built/schemas.test.ts.
 */
const zod: Record<string, Change[]> = {
  'core/core.js': [
    [
      /function \$constructor\([\s\S]*?\n}\n/,
      `function $constructor(name, initializer) {
        function Schema(def) {
          Schema.init(this, def);
          const { parse, check } = this._zod;
          this._zod.run = check ? (payload, ctx) => (check(parse(payload, ctx)), payload) : parse;
        }
        Schema.init = (inst, def) => {
          inst._zod ??= { def };
          initializer(inst, def);
        };
        return Schema;
      }
      `,
    ],
    [/let _E = [^;]+;/, ''],
    [/\(_a = globalThis\)[\s\S]*?(?=export function config)/, 'export const globalConfig = {};\n'],
  ],
  'core/util.js': [
    [
      /function defineLazyInternal\([\s\S]*?\n}\n/,
      'function defineLazyInternal(inst, key, compute) { inst._zod[key] = compute(inst._zod); }\n',
    ],
  ],
  'core/checks.js': [[/\(_a = inst\._zod\)\.onattach[^;]+;/, '']],
  'core/schemas.js': [
    [
      /(export const \$ZodType = .*)[\s\S]*?\n}(?=\);)/,
      `$1
        inst.safeParse = (value) => {
          const result = inst._zod.run({ value, issues: [] }, {});
          return result.issues.length ? { success: false } : { success: true, data: result.value };
        };
      }`,
    ],
    [/\w+ instanceof Promise/g, 'false'],
    [/proms\.length/g, '0'],
    [/ctx\??\.(?:direction === "backward"|skipChecks|abortEarly)/g, 'false'],
    [/core\.globalConfig\.memoizer/g, 'undefined'],
    [/def\.coerce/g, 'false'],
    // No absent field has a value of its own here.
    [/[\w.]*optin === "defaulted"/g, 'false'],
    [/[\w.]*optin !== "defaulted"/g, 'true'],
    // What a page adds to Object.prototype is not in what a service says.
    [/key in input/, 'Object.hasOwn(input, key)'],
    [/memo \? memo\.alloc\(inst, payload, \{\}, ctx\) : \{\}/g, 'Object.create(null)'],
    // Nor does any schema have checks beside its own.
    [/capSize\(inst, \w+\);/g, ''],
    [/if \(result\.memo\)\s+payload\.memo = true;/, ''],
    // Patterns and lists of values are for schemas that ask each other.
    [/util\.defineLazyInternal\(inst, "(?:pattern|values|propValues)", /g, 'void ('],
    [/inst\._zod\.(?:pattern|values) = [^;]+;/g, ''],
    // One is enough to say no.
    [/issues\.push\(\{(?:[^{}]|\{[^{}]*\})*\}\)/g, 'issues.push(0)'],
    [/(?<=issues\.push\()\.\.\.util\.prefixIssues\(\w+, ([^)]+)\)/g, '...$1'],
    [/(?<=function handleRefineResult\([^)]*\) \{)[\s\S]*?(?=\n}\n)/, 'if (!result) payload.issues.push(0);'],
    [/def\.catchValue\(\{[\s\S]*?\n {4}\}\)/, 'def.catchValue()'],
    // A shape whose fields are getters is one that contains itself.
    [/const desc = Object\.getOwnPropertyDescriptor\(def, "shape"\);[\s\S]*?(?=const _normalized)/, ''],
    [
      /util\.cached\(\(\) => normalizeDef\(def\)\)/g,
      '{ value: { ...def, allKeys: Object.keys(def.shape) } }',
    ],
    [/(?<=if \()!?catchall(?=\))/g, '!0'],
  ],
  'core/api.js': [
    [/util\.normalizeParams\(\w+\)/g, '{}'],
    [/(?<!function )snapshotChecks\(/g, '('],
    [/\.\.\.norm,|norm\.abort \?\?[^;]+;/g, ''],
  ],
  'mini/schemas.js': [
    [/util\.normalizeParams\(\w+\)/g, '{}'],
    [
      /(?<=export const (ZodMini\w+) = ).*core\.\$constructor\("\1", [^{]*\{\s*(core\.\$Zod\w+)\.init[^{}]*\}\)/g,
      '$2',
    ],
  ],
};

/** @param environments whose files go to visitors */
export function guestLibraries(environments: string[]): Plugin {
  return {
    name: 'parley-guest-libraries',
    applyToEnvironment: ({ name }) => environments.includes(name),
    transform(code, id) {
      const [, library, file = ''] =
        /node_modules\/(zod|preact|nanostores)\/(?:v4\/|dist\/)?(.*)/.exec(id) ?? [];
      if (!library) return undefined;
      let changed = code;
      for (const [from, to] of (library === 'zod' && zod[file]) || []) {
        const next = changed.replace(from, to);
        if (next === changed) this.error(`${id} has nothing like ${from} any more.`);
        changed = next;
      }
      changed = changed.replace(
        loop,
        (_, kind = '', key, object) => `for(${kind}${key} of Object.keys((${object})||{}))`,
      );
      // The globals that two of them would add stay in their modules: a guest has one.
      if (GLOBAL.test(changed))
        changed = `const parleyGlobals = {};\n${changed.replaceAll(/\bglobalThis\b/g, 'parleyGlobals')}`;
      return changed === code ? undefined : { code: changed, map: null };
    },
  };
}
