declare module 'virtual:parley-emoji' {
  /** As `makeTable` in table-plugin.ts writes it. */
  const table: string;
  export default table;
}
