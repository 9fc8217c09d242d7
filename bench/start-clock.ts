export interface Elapsed {
  readonly seconds: number;
  /** Of the processor: what a machine with nothing else to do would take, or more where threads worked side by side. */
  readonly cpuSeconds: number;
}

/** Starts to measure; what it returns says how long it is since. */
export function startClock(): () => Elapsed {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { seconds: (performance.now() - from) / 1000, cpuSeconds: (user + system) / 1e6 };
  };
}
