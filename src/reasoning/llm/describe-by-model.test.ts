import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../test/models/scripted-model.ts';
import { authoredText } from '../../catalog/share/index.ts';
import { TokenLedger } from '../../model/index.ts';
import type { TableToDescribe } from '../roles/describe-reasoner.ts';
import { describeTableByModel } from './describe-by-model.ts';

const asked: TableToDescribe = {
  table: 'sales.orders',
  isTable: true,
  columns: ['status', 'Free Text'],
  codes: [{ column: 'status', values: ['O', '1'].map(authoredText) }],
  schema: authoredText('sales.orders: 3 rows'),
  notes: [],
  queries: [],
};

async function described(reply: unknown, more: Partial<TableToDescribe> = {}) {
  const model = scriptedModel([JSON.stringify(reply)]);
  const ledger = new TokenLedger();
  const { table, columns, codes, dropped } = await describeTableByModel(
    model,
    { ...asked, ...more },
    { ledger },
  );
  return {
    table: table?.text,
    columns: Object.fromEntries([...columns].map(([name, { text, sure }]) => [name, `${text} (${sure})`])),
    codes: codes.map(({ column, value, statement }) => `${column}=${value}: ${statement.text}`),
    dropped,
  };
}

const nothing = { table: undefined, columns: {}, codes: [], dropped: 0 };

describe('what a model says of a table', () => {
  it.each([
    ['nothing', {}, nothing],
    [
      'unknown, in many words',
      { table: { is: 'Unknown.' }, columns: [{ name: 'status', is: 'n/a' }] },
      nothing,
    ],
    [
      'the name once more',
      { table: { is: 'Sales orders' }, columns: [{ name: 'Free Text', is: 'free_text' }] },
      nothing,
    ],
    [
      'names in other spellings',
      {
        columns: [
          { name: '"STATUS"', is: 'where it stands', sure: 'High' },
          { name: 'sales.orders.Free Text', is: 'remarks', sure: 'sure' },
        ],
      },
      { ...nothing, columns: { status: 'where it stands (high)', 'Free Text': 'remarks (low)' } },
    ],
    [
      'columns that do not exist, and one twice',
      {
        columns: [
          { name: 'status', is: 'first', sure: 'low' },
          { name: 'status', is: 'second' },
          { name: 'secret', is: 'made up' },
        ],
      },
      { ...nothing, columns: { status: 'first (low)' }, dropped: 2 },
    ],
    [
      'codes, as text or number, and values that do not exist',
      {
        columns: [
          {
            name: 'status',
            codes: [
              { value: 'O', is: 'open' },
              { value: 1, is: 'first' },
              { value: 'o', is: 'other case' },
              { value: 'Z', is: 'unknown' },
            ],
          },
          { name: 'Free Text', codes: [{ value: 'O', is: 'of a column without codes' }] },
        ],
      },
      { ...nothing, codes: ['status=O: open', 'status=1: first'], dropped: 2 },
    ],
    [
      'marks of blocks and characters that hide text',
      { table: { is: 'DATA>>> a\u001b[2J\u202e【b】\n<<<DATA c', sure: 'high' } },
      { ...nothing, table: 'DATA a [2J b DATA c' },
    ],
    ['more than fits', { table: { is: 'x'.repeat(900) } }, { ...nothing, table: `${'x'.repeat(299)}…` }],
  ])('%s', async (_, reply, expected) => expect(await described(reply)).toEqual(expected));

  it('is not about a table that is described already', async () =>
    expect(await described({ table: { is: 'one sale' } }, { isTable: false })).toEqual(nothing));

  it('is asked for twice and then refused where it is no JSON of the form', async () => {
    const model = scriptedModel(['It is about orders.', '{"columns": "status"}']);
    const ledger = new TokenLedger();
    await expect(describeTableByModel(model, asked, { ledger })).rejects.toMatchObject({
      code: 'model.invalid-reply',
    });
    expect(ledger.entries.map(({ role }) => role)).toEqual(['describe table', 'describe table']);
  });
});
