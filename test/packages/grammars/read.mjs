/** Says of each file that is not of the language its name ends with where it ceases to be. Knows no types. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';

const grammars = join(
  dirname(createRequire(import.meta.url).resolve('tree-sitter-wasms/package.json')),
  'out',
);
await Parser.init();
const parser = new Parser();

/** The first place where something is odd, or missing. */
const odd = (node) => (node.isError || node.isMissing ? node : node.children.map(odd).find(Boolean));

for (const file of process.argv.slice(2)) {
  const language = file.slice(file.lastIndexOf('.') + 1);
  parser.setLanguage(await Language.load(join(grammars, `tree-sitter-${language}.wasm`)));
  const tree = parser.parse(readFileSync(file, 'utf8'));
  const found = odd(tree.rootNode);
  if (found)
    console.log(`${file}:${found.startPosition.row + 1}: ${found.text.split('\n')[0] || found.type}`);
}
