import { describe, expect, it } from 'vitest';
import { SINGERS } from '../../../../test/fixtures/uncertainty/singers.ts';
import { PUBLISHED_GROUPS } from '../../../uncertainty/index.ts';
import { besideAll, besideEachOther } from '../experiments/setups.ts';
import type { Prediction, PredictionSet } from './prediction-set.ts';
import { readRows } from './read-rows.ts';

const prediction = (sql: string, setups: readonly string[], isRight?: boolean): Prediction => ({
  ...{ sql, setups },
  ...(isRight !== undefined && { isRight }),
});
const SET: PredictionSet = {
  name: 'bird',
  databases: new Map([['singers', { name: 'singers', catalog: { ...SINGERS, dialect: 'sqlite' } }]]),
  questions: [
    {
      ...{ id: '7', database: 'singers', question: 'Names of singers over 20?', hint: '' },
      goldSql: 'SELECT name FROM singer WHERE age > 20',
      ...{ goldTables: new Set(['singer']), goldFields: null },
      predictions: [
        prediction('SELECT name FROM singer WHERE age > 20;', ['one', 'two'], true),
        prediction('SELECT name FROM singer WHERE age >= 20', ['three'], false),
        prediction('SELECT name FROM', ['four'], false),
        prediction('SELECT age FROM singer', ['five']),
      ],
    },
  ],
};
const GROUPS = [...PUBLISHED_GROUPS, 'agreement'] as const;

describe('rows of predictions', () => {
  it('are of the first prediction of each set-up, beside those of the others', async () => {
    const plan = besideEachOther(['one', 'three', 'four', 'missing']);
    const { rows, unread, unlabelled } = await readRows(SET, { groups: GROUPS, plan });
    expect(rows.queries.map(({ tag, isRight, times }) => [tag, isRight, times])).toEqual([
      ['one', true, 2],
      ['three', false, 1],
    ]);
    expect([unread.length, unlabelled]).toEqual([1, 0]);
    const [right, wrong] = rows.queries;
    const labels = ({ start, end }: { start: number; end: number }) =>
      Array.from({ length: end - start }, (_, at) => rows.labelAt(start + at));
    expect(right && labels(right).includes(1)).toBe(false);
    expect(wrong && labels(wrong).includes(1)).toBe(true);
    expect(right?.form).not.toBe(wrong?.form);
  });

  it('of all candidates are those whose result is known, each beside one query for every other set-up', async () => {
    const { rows } = await readRows(SET, { groups: GROUPS, plan: besideAll });
    expect(rows.queries.map(({ tag }) => tag)).toEqual(['2', '1']);
    const at = rows.space.features.findIndex(({ name }) => name === 'n_others');
    const row = new Float32Array(rows.space.features.length);
    const read = rows.rowReader({});
    const others = rows.queries.map(({ start }) => {
      read(start, row);
      return row[at];
    });
    // The first was written by two set-ups: one of them and the other query.
    expect(others).toEqual([2, 2]);
  });

  it('see a part of the features and the other labels without being read again', async () => {
    const { rows } = await readRows(SET, { groups: GROUPS, plan: besideAll });
    const part = rows.part({ groups: ['agreement'], labels: 'published' });
    const all = Int32Array.from({ length: rows.count }, (_, row) => row);
    const codes = rows.learnCodes(all);
    const start = rows.space.startOf('agreement');
    expect(part.columns(all, codes)).toEqual(rows.columns(all, codes).slice(start));
    expect(part.space.features).toHaveLength(rows.space.features.length - start);
  });

  it('are cancelled between two questions', async () => {
    const reading = readRows(SET, { groups: GROUPS, plan: besideAll }, { signal: AbortSignal.abort() });
    await expect(reading).rejects.toThrow();
  });
});
