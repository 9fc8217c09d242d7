import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../test/models/scripted-model.ts';
import { TokenLedger } from '../../model/index.ts';
import type { RankQuestion } from '../roles/rank-reasoner.ts';
import { rankByModel } from './rank-by-model.ts';

const question: RankQuestion = {
  text: 'orders',
  hint: '',
  notes: [],
  jargon: [],
  ledger: new TokenLedger(),
  signal: undefined,
};

describe('ranking by a model', () => {
  it('gives scores as they were written, asked at temperature 0', async () => {
    const model = scriptedModel(['{"tables": [{"name": " orders ", "score": 8, "because": null}]}']);
    expect(await rankByModel(model).rankTables(question, [])).toEqual([
      { name: 'orders', score: 8, because: '' },
    ]);
    expect(model.requests[0]?.temperature).toBe(0);
  });

  it('asks again for a score outside of 1 to 10', async () => {
    const [wrong, right] = [11, 10].map((score) => JSON.stringify({ tables: [{ name: 'orders', score }] }));
    const model = scriptedModel([wrong ?? '', right ?? '']);
    expect(await rankByModel(model).rankTables(question, [])).toMatchObject([{ score: 10 }]);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('tables[0].score: Too big');
  });

  it('gives columns in two tiers; none is maybe where the model says so', async () => {
    const model = scriptedModel([
      '{"relevant": [{"table": "orders", "column": "id", "because": "counted"}], "maybe": [{"table": "orders", "column": "city"}]}',
      '{"relevant": []}',
    ]);
    expect(await rankByModel(model).rankColumns(question, [])).toEqual([
      { table: 'orders', column: 'id', tier: 'relevant', because: 'counted' },
      { table: 'orders', column: 'city', tier: 'maybe', because: '' },
    ]);
    expect(await rankByModel(model).rankColumns(question, [])).toEqual([]);
  });
});
