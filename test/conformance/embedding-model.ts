/** What every embedding model must do, whatever is behind it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddingModel } from '../../src/model/index.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { childProcesses } from './child-processes.ts';

export interface EmbeddingFixture {
  /** A model of its own: the suite opens several, and closes them. */
  readonly open: () => Promise<EmbeddingModel>;
}

const TEXTS = ['customer name', 'order total in euros', 'date of birth', 'customer name', 'x'];
const ODD_TEXTS: readonly (readonly [string, string])[] = [
  ['an empty text', ''],
  ['blanks only', ' \n\t '],
  ['punctuation only', '?!'],
  ['a NUL', '\0'],
  ['a NUL in the middle', 'cust\0omer'],
  ['half of a surrogate pair', 'a \ud83d b'],
  ['characters beyond the first plane', '😀 𝒳 𠮷'],
  ['Japanese', '東京都の売上'],
  ['Arabic and marks', 'مُحَمَّد'],
  ['10 kB of words', 'the total of all orders '.repeat(430)],
  ['10 kB without a space', 'x'.repeat(10_000)],
  ['the marks of special tokens', '[CLS] [SEP] <s> </s> [PAD] ##a'],
];

export function behavesLikeEmbeddingModel(title: string, fixture: EmbeddingFixture): void {
  describe(title, () => {
    let model: EmbeddingModel;
    beforeAll(async () => {
      model = await fixture.open();
    });
    afterAll(() => model.close());

    const embedOne = async (text: string): Promise<Float32Array> => {
      const [vector] = await model.embed([text]);
      if (vector === undefined) throw new Error('no vector came');
      return vector;
    };

    it('says what it is', () => {
      expect(model.id).toMatch(/^[\w.:/@-]+$/);
      expect(model.dimensions).toBeGreaterThan(1);
      expect(model.batchSize).toBeGreaterThan(0);
    });

    it('gives unit vectors of its dimensions, in the order of the texts', async () => {
      const vectors = await model.embed(TEXTS);
      expect(vectors.map((vector) => vector.length)).toEqual(TEXTS.map(() => model.dimensions));
      for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 5);
      expect(furthest(vectors[0], vectors[3])).toBeLessThan(1e-5);
      const backwards = await model.embed(TEXTS.toReversed());
      for (const [index, vector] of vectors.entries())
        expect(furthest(vector, backwards.at(-1 - index))).toBeLessThan(1e-5);
      expect(furthest(vectors[0], vectors[1])).toBeGreaterThan(0.01);
    });

    it('gives nothing for nothing', async () => expect(await model.embed([])).toEqual([]));

    it.each(ODD_TEXTS)('embeds %s', async (_, text) => {
      const vector = await embedOne(text);
      expect(vector.length).toBe(model.dimensions);
      expect(lengthOf(vector)).toBeCloseTo(1, 5);
    });

    it('gives one vector for each, also when empty texts stand between or at the end', async () => {
      const vectors = await model.embed(['', 'customer name', '', 'x', '']);
      const alone = [await embedOne('customer name'), await embedOne('x')];
      expect(vectors.length).toBe(5);
      expect(furthest(vectors[1], alone[0])).toBeLessThan(1e-5);
      expect(furthest(vectors[3], alone[1])).toBeLessThan(1e-5);
      expect(furthest(vectors[0], vectors[4])).toBe(0);
    });

    it('gives the same in a batch as one by one, whatever else is in the batch', async () => {
      const texts = [...TEXTS, ...ODD_TEXTS.map(([, text]) => text)];
      const together = await model.embed(texts);
      for (const [index, text] of texts.entries())
        expect(furthest(together[index], await embedOne(text)), text.slice(0, 40)).toBeLessThan(1e-5);
    });

    it('takes more texts than a batch has, and several calls at once', async () => {
      const many = Array.from({ length: model.batchSize * 2 + 3 }, (_, index) => `column ${index % 7}`);
      const [all, few] = await Promise.all([model.embed(many), model.embed(['column 3'])]);
      expect(all.length).toBe(many.length);
      expect(furthest(all[3], few[0])).toBeLessThan(1e-5);
      expect(furthest(all[model.batchSize * 2 + 2], all[(model.batchSize * 2 + 2) % 7])).toBeLessThan(1e-5);
    });

    it('is the same when it is opened again', async () => {
      const again = await fixture.open();
      try {
        expect([again.id, again.dimensions]).toEqual([model.id, model.dimensions]);
        const [vector] = await again.embed(['customer name']);
        expect(furthest(vector, await embedOne('customer name'))).toBeLessThan(1e-6);
      } finally {
        await again.close();
      }
    });

    it('does nothing for a signal that was given before', async () => {
      expect(await codeOf(model.embed(['a'], AbortSignal.abort()))).toBe('model.cancelled');
    });

    it('stops when it is cancelled, and goes on for others', async () => {
      const stop = new AbortController();
      const many = Array.from(
        { length: model.batchSize * 6 },
        (_, index) => `a long list of columns ${index}`,
      );
      const cancelled = codeOf(model.embed(many, stop.signal));
      const other = model.embed(['customer name']);
      setImmediate(() => stop.abort());
      expect(await cancelled).toBe('model.cancelled');
      expect(lengthOf((await other)[0])).toBeCloseTo(1, 5);
    });

    it('ends with what it started when it is closed, also in the middle of work', async () => {
      const before = await childProcesses();
      const own = await fixture.open();
      await own.embed(['a']);
      const working = codeOf(
        own.embed(Array.from({ length: own.batchSize * 4 }, (_, index) => `text ${index}`)),
      );
      await own.close();
      expect(await working).toBe('model.cancelled');
      expect(await codeOf(own.embed(['b']))).toBe('model.cancelled');
      expect(await childProcesses()).toEqual(before);
      await own.close();
    });
  });
}

function lengthOf(vector: Float32Array | undefined): number {
  return Math.hypot(...(vector ?? []));
}

/** The largest difference of two places. */
function furthest(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((most, value, index) => Math.max(most, Math.abs(value - (b[index] ?? Number.NaN))), 0);
}
