import type { LakeSource } from '../../src/knowledge/lake/lake-source.ts';

export interface TimedSource extends LakeSource {
  /** Spent in the source so far, in milliseconds. */
  readonly ms: () => number;
}

/** The same source with a watch: the time that a company takes to make its tables is none of ours. */
export function timedSource(source: LakeSource): TimedSource {
  let spent = 0;
  async function* timed<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    let from = performance.now();
    for await (const item of items) {
      spent += performance.now() - from;
      yield item;
      from = performance.now();
    }
    spent += performance.now() - from;
  }
  return {
    list: (signal) => timed(source.list(signal)),
    read: (ids, signal) => timed(source.read(ids, signal)),
    ms: () => spent,
  };
}
