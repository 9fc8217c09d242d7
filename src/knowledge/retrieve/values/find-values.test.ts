import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandorError } from '../../../errors.ts';
import type { EmbeddingModel } from '../../../model/index.ts';
import { buildValueIndex } from '../../values/value-index.ts';
import { CASCADE_PRESETS, type FindValuesOptions, findValues } from './find-values.ts';
import { similarColumns } from './similar-columns.ts';

const column = (columnId: string, texts: readonly string[], more = {}) => ({
  columnId,
  distinctCount: texts.length,
  values: texts.map((text, at) => [text, texts.length - at] as const),
  ...more,
});

const INDEX = buildValueIndex([
  column('schools.county', ['Fresno', 'Fremont', 'Alameda', 'Los Angeles', 'San Diego']),
  column('schools.district', ['Fresno County Office of Education', 'Fremont Union High', 'Alameda Unified']),
  column('cities.name', ['Fresno', 'Paris', 'Parsippany', 'San José']),
  column('orders.code', ['FR-1', 'FR-2'], { use: 'exact' }),
  column('orders.year', ['2023', '2024'], { use: 'literal' }),
  column('huge.word', ['Fresnel', 'Fresco'], { distinctCount: 4310 }),
]);

/** The best value of each column found. */
async function best(keywords: readonly string[], options: FindValuesOptions = {}) {
  const { values } = await findValues(keywords, INDEX, options);
  return values.map(({ item }) => [item.columnId, item.values[0]?.value, item.values[0]?.match] as const);
}

describe('findValues', () => {
  const cases: readonly {
    readonly keyword: string;
    readonly first: readonly (readonly [columnId: string, value: string, match: string])[];
  }[] = [
    {
      keyword: 'Fresno',
      first: [
        ['cities.name', 'Fresno', 'exact'],
        ['schools.county', 'Fresno', 'exact'],
      ],
    },
    { keyword: 'ALAMEDA', first: [['schools.county', 'Alameda', 'folded']] },
    { keyword: 'san jose', first: [['cities.name', 'San José', 'folded']] },
    { keyword: 'Los Angelse', first: [['schools.county', 'Los Angeles', 'similar']] },
    { keyword: 'parsi', first: [['cities.name', 'Paris', 'similar']] },
    { keyword: 'Alameda Unifed schools', first: [['schools.county', 'Alameda', 'exact']] },
    { keyword: 'county = Alameda', first: [['schools.county', 'Alameda', 'exact']] },
    { keyword: 'FR-1', first: [['orders.code', 'FR-1', 'exact']] },
    { keyword: '2,024', first: [['orders.year', '2024', 'folded']] },
  ];
  it.each(cases)('$keyword', async ({ keyword, first }) => {
    expect((await best([keyword])).slice(0, first.length)).toEqual(first);
  });

  it('finds nothing where nothing is alike, and for no words', async () => {
    expect(await findValues([], INDEX)).toEqual({ values: [], truncations: [], warnings: [] });
    expect((await findValues(['zzzz', ' ', ''], INDEX)).values).toEqual([]);
  });

  it('looks up codes exactly only', async () => {
    expect((await best(['FR-9'])).map(([id]) => id)).not.toContain('orders.code');
  });

  it('keeps to the tables in scope', async () => {
    const ids = (await best(['Fresno', '2024'], { scope: new Set(['cities']) })).map(([id]) => id);
    expect(ids).toEqual(['cities.name']);
  });

  it('says how much of a column it shows and how much the index holds', async () => {
    const { truncations } = await findValues(['fresnel'], INDEX);
    expect(truncations).toEqual(
      expect.arrayContaining([
        { what: 'values of huge.word', shown: 2, total: 4310 },
        { what: 'indexed values of huge.word', shown: 2, total: 4310 },
      ]),
    );
  });

  it('shows ten values of a column and ten columns of a keyword, and says what it cut', async () => {
    const many = buildValueIndex([
      ...Array.from({ length: 12 }, (_, at) => column(`t${String(at).padStart(2, '0')}.city`, ['Bonn'])),
      column(
        'u.town',
        Array.from({ length: 30 }, (_, at) => `Bonnville ${at}`),
      ),
    ]);
    const { values, truncations } = await findValues(['Bonn', 'Bonnville'], many);
    expect(values.filter(({ item }) => item.columnId.startsWith('t'))).toHaveLength(10);
    expect(values.find(({ item }) => item.columnId === 'u.town')?.item.values).toHaveLength(10);
    expect(truncations).toContainEqual({ what: 'columns with values like “Bonn”', shown: 10, total: 13 });
    expect(truncations).toContainEqual({ what: 'values of u.town', shown: 10, total: 30 });
  });

  it('keeps only what is near the best, when asked to rank as CHESS does', async () => {
    const loose = await findValues(['Fresno'], INDEX);
    const strict = await findValues(['Fresno'], INDEX, { rerank: 'chess' });
    const ofCounty = ({ values }: typeof loose) =>
      values.find(({ item }) => item.columnId === 'schools.county')?.item.values.map(({ value }) => value);
    expect(ofCounty(loose)).toEqual(['Fresno', 'Fremont']);
    expect(ofCounty(strict)).toEqual(['Fresno']);
  });

  it('finds no less with an aggressive preset than with a conservative one', async () => {
    const count = async (limits: FindValuesOptions['limits']) =>
      (await findValues(['Fresno County', 'Paris'], INDEX, { limits })).values.flatMap(
        ({ item }) => item.values,
      ).length;
    const { conservative, balanced, aggressive } = CASCADE_PRESETS;
    expect(await count(conservative)).toBeLessThanOrEqual(await count(balanced));
    expect(await count(balanced)).toBeLessThanOrEqual(await count(aggressive));
  });

  it('bounds what it is asked, and says so', async () => {
    const words = Array.from({ length: 300 }, (_, at) => `word${at}`);
    const { warnings } = await findValues([...words, 'x'.repeat(500)], INDEX);
    expect(warnings).toEqual(
      expect.arrayContaining([
        'values: 1 keywords were cut at 200 characters',
        'values: only the first 200 of 301 keywords were looked up',
      ]),
    );
  });

  it('takes any text and gives the same for the same', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 4 }), async (keywords) => {
        const found = await findValues(keywords, INDEX);
        expect(await findValues(keywords, INDEX)).toEqual(found);
        for (const { score } of found.values) expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });
});

describe('with a sentence encoder', () => {
  /** Texts that begin alike mean the same to it. */
  function encoder(calls: string[][], fails = false): EmbeddingModel {
    return {
      id: 'first-letter',
      dimensions: 26,
      batchSize: 4,
      embed: async (texts) => {
        if (fails) throw new CandorError('model.unreachable', 'it is asleep');
        calls.push([...texts]);
        return texts.map((text) => {
          const vector = new Float32Array(26);
          vector[Math.max(0, text.toLowerCase().charCodeAt(0) - 97) % 26] = 1;
          return vector;
        });
      },
      close: async () => {},
    };
  }

  it('drops similar values of another meaning, and encodes each text once', async () => {
    const calls: string[][] = [];
    const found = await findValues(['Parisian', 'Xaris'], INDEX, { embedding: encoder(calls) });
    const values = found.values.flatMap(({ item }) => item.values.map(({ value }) => value));
    expect(values).toContain('Paris');
    expect(found.warnings).toEqual([]);
    expect((await findValues(['Xaris'], INDEX, { embedding: encoder([]) })).values).toEqual([]);
    const texts = calls.flat();
    expect(new Set(texts).size).toBe(texts.length);
    expect(Math.max(...calls.map(({ length }) => length))).toBeLessThanOrEqual(4);
  });

  it('goes on by spelling alone when it fails, and says so', async () => {
    const { values, warnings } = await findValues(['Xaris'], INDEX, { embedding: encoder([], true) });
    expect(values.length).toBeGreaterThan(0);
    expect(warnings).toEqual([expect.stringContaining('it is asleep')]);
  });
});

describe('similarColumns', () => {
  const columns = ['district_name', 'County', 'enrollment', 'Free Meal Count'].map((name) => ({
    id: `t.${name}`,
    name,
  }));
  const cases: readonly (readonly [keyword: string, ids: readonly string[]])[] = [
    ['district names', ['t.district_name']],
    ['counties', []],
    ['countys', ['t.County']],
    ['enrolment', ['t.enrollment']],
    ['county = Alameda', ['t.County']],
    ['meals (free meal counts)', ['t.Free Meal Count', 't.County']],
    ['', []],
  ];
  it.each(cases)('%j', (keyword, ids) => {
    expect(similarColumns([keyword], columns).map(({ item }) => item.columnId)).toEqual(ids);
  });
});
