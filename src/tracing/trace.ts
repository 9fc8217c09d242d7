import { ATTRIBUTES, inSpan } from './in-span.ts';

/** What a run did and how long each stage took; goes into the record. */
export interface StageEvent {
  readonly stage: string;
  readonly ms: number;
}

export class Trace {
  readonly events: StageEvent[] = [];
  readonly #onStage: ((name: string) => void) | undefined;

  /** `onStage` hears the name of each stage as it begins. */
  constructor(onStage?: (name: string) => void) {
    this.#onStage = onStage;
  }

  /** Runs a stage in a span of its own and keeps its time, also when it throws. */
  async stage<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    this.#onStage?.(name);
    const start = performance.now();
    try {
      const attributes = { [ATTRIBUTES.stage]: name };
      return await inSpan(`candor.${name.replaceAll(' ', '_')}`, { attributes, needsParent: true }, work);
    } finally {
      this.events.push({ stage: name, ms: Math.round((performance.now() - start) * 100) / 100 });
    }
  }
}
