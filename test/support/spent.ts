/** @returns milliseconds of the processor that `work` took, whatever else the machine did meanwhile */
export function spentMs(work: () => unknown): number {
  const spent = spending();
  work();
  return spent();
}

/** @returns how many milliseconds of the processor this process has taken since */
export function spending(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
