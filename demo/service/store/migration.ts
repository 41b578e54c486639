/** One step of the schema. Once published it stays as it is. */
export interface Migration {
  name: string;
  statements: readonly string[];
}
