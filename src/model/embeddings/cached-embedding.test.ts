import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { CandorError } from '../../errors.ts';
import { cached, type EmbeddingModel } from '../index.ts';
import { openHashedEmbedding } from './open-hashed-embedding.ts';

/** The hashed embedding, with a list of what it was asked for; it answers when it is let. */
function watch(rules: { readonly fails?: () => boolean; readonly until?: Promise<void> } = {}) {
  const inner = openHashedEmbedding();
  const calls: (readonly string[])[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const model: EmbeddingModel = {
    ...inner,
    batchSize: 4,
    embed: async (texts, signal) => {
      calls.push(texts);
      signals.push(signal);
      await rules.until;
      if (rules.fails?.()) throw new CandorError('model.unreachable', 'down');
      return inner.embed(texts);
    },
  };
  return { model, calls, signals };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a cached embedding', () => {
  it('gives what the model gives, whatever is asked for in whatever order', async () => {
    const text = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 6 }),
        fc.nat(4),
        async (asked, size) => {
          const plain = openHashedEmbedding();
          const model = cached(watch().model, size);
          const expected = await Promise.all(asked.map((texts) => plain.embed(texts)));
          expect(await Promise.all(asked.map((texts) => model.embed(texts)))).toEqual(expected);
          for (const [index, texts] of asked.entries())
            expect(await model.embed(texts)).toEqual(expected[index]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('asks once for equal texts of one turn, in batches', async () => {
    const { model, calls } = watch();
    const kept = cached(model, 10);
    await Promise.all([kept.embed(['a', 'b', 'a']), kept.embed(['b', 'c']), kept.embed(['d', 'e'])]);
    expect(calls).toEqual([['a', 'b', 'c', 'd'], ['e']]);
    await kept.embed(['a', 'e']);
    expect(calls.length).toBe(2);
  });

  it('joins what is being asked for already', async () => {
    let answer: () => void = () => undefined;
    const { model, calls } = watch({ until: new Promise((resolve) => (answer = resolve)) });
    const kept = cached(model, 10);
    const first = kept.embed(['a']);
    await nextTurn();
    const second = kept.embed(['a']);
    await nextTurn();
    answer();
    expect(await first).toEqual(await second);
    expect(calls).toEqual([['a']]);
  });

  it('forgets the text that was used longest ago', async () => {
    const { model, calls } = watch();
    const kept = cached(model, 2);
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await kept.embed([text]);
    expect(calls).toEqual([['a'], ['b'], ['c'], ['b']]);
  });

  it('does not keep long texts', async () => {
    const { model, calls } = watch();
    const kept = cached(model, 2);
    for (let time = 0; time < 2; time++) await kept.embed(['long '.repeat(1000)]);
    expect(calls.length).toBe(2);
  });

  it('gives every caller a vector of its own', async () => {
    const kept = cached(watch().model, 2);
    const [first] = await kept.embed(['a']);
    const before = first?.slice();
    first?.fill(7);
    expect(await kept.embed(['a'])).toEqual([before]);
  });

  it('listens to a signal once, however many texts there are', async () => {
    const stop = new AbortController();
    const kept = cached(watch().model, 2);
    const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
    const warnings: string[] = [];
    const note = (warning: Error): unknown => warnings.push(warning.name);
    process.on('warning', note);
    await kept.embed(texts, stop.signal);
    await nextTurn();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('does not remember a failure', async () => {
    let isDown = true;
    const kept = cached(watch({ fails: () => isDown }).model, 2);
    expect(await codeOf(kept.embed(['a']))).toBe('model.unreachable');
    isDown = false;
    expect(await codeOf(kept.embed(['a']))).toBe('no error');
  });

  it('stops the work when the last who wants it leaves, and not before', async () => {
    const never = new Promise<void>(() => undefined);
    const { model, calls, signals } = watch({ until: never });
    const kept = cached(model, 2);
    const [one, two] = [new AbortController(), new AbortController()];
    const first = codeOf(kept.embed(['a'], one.signal));
    const second = codeOf(kept.embed(['a', 'b'], two.signal));
    await nextTurn();
    one.abort();
    expect(await first).toBe('model.cancelled');
    expect(signals[0]?.aborted).toBe(false);
    two.abort();
    expect(await second).toBe('model.cancelled');
    await nextTurn();
    expect(signals[0]?.aborted).toBe(true);
    void kept.embed(['a']);
    await nextTurn();
    expect(calls).toEqual([['a', 'b'], ['a']]);
  });
});
