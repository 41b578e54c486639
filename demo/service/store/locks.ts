/** The numbers of all our advisory locks, here together so that no two are one. */
export const locks = {
  schema: 727_011_001,
  seed: 727_011_002,
  counts: 727_011_003,
  files: 727_011_004,
} as const;
