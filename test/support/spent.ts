/** @returns milliseconds of the processor that `work` took, whatever else the machine did meanwhile */
export function spentMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
