/** What a run did and how long each stage took; goes into the record. */
export interface StageEvent {
  readonly stage: string;
  readonly ms: number;
}

export class Trace {
  readonly events: StageEvent[] = [];

  /** Runs a stage and keeps its time, also when it throws. */
  async stage<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.events.push({ stage: name, ms: Math.round((performance.now() - start) * 100) / 100 });
    }
  }
}
