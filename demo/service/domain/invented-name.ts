/** Somebody without a name still needs one in the agents' list: two words, which can be told from a name that was given. */
const colours = ['Amber', 'Blue', 'Coral', 'Golden', 'Green', 'Indigo', 'Ivory', 'Silver', 'Teal', 'Violet'];
const animals = ['Badger', 'Crane', 'Falcon', 'Fox', 'Hare', 'Heron', 'Lynx', 'Otter', 'Robin', 'Wren'];
const pick = (words: readonly string[]) => words[Math.floor(Math.random() * words.length)] ?? '';

export const inventedName = () => `${pick(colours)} ${pick(animals)}`;

export function isInvented(name: string): boolean {
  const [colour = '', animal = '', ...more] = name.split(' ');
  return colours.includes(colour) && animals.includes(animal) && more.length === 0;
}
