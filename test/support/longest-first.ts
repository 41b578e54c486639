/**
 * The order of the test files: those that take a minute or more begin, whatever project they are of, because one that
 * begins last has all the others wait for it, and their processors stand idle.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const longest = [
  'browser/campaign',
  'browser/gallery',
  'service/bad-generated',
  'model/delivery',
  'service/kill',
  'service/start',
].map((name) => `/test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const all = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(name));
    return [...all.filter(isLong), ...all.filter((file) => !isLong(file))];
  }
}
