import { describe, expect, it } from 'vitest';
import { shopTables } from '../../../test/fixtures/linking/prompt-shop.ts';
import { authoredText } from '../../catalog/share/index.ts';
import { TokenLedger } from '../../model/index.ts';
import type { ColumnCard, FoundSigns, RankQuestion, TableCard, TablePart } from '../roles/rank-reasoner.ts';
import { rankByRetrieval } from './rank-by-retrieval.ts';

const { orders, sessions } = shopTables;
const question: RankQuestion = {
  text: 'orders',
  hint: '',
  notes: [],
  jargon: [],
  ledger: new TokenLedger(),
  signal: undefined,
};

const texts = (...all: readonly string[]) => all.map(authoredText);

const card = (table: TableCard['table'], found: FoundSigns): TableCard => ({
  table,
  members: 1,
  descriptions: [],
  examples: [],
  joins: [],
  coQueried: [],
  notes: [],
  isCertified: false,
  isDeprecated: false,
  popularity: 0,
  found,
  columns: [],
});

describe('ranking without a model', () => {
  it('scores tables from 1 to 10 by what retrieval says, with its reasons', async () => {
    const cards = [
      card(orders, {
        score: 0.8,
        because: texts('its name has words of the question: orders', 'it is in use'),
      }),
      card(sessions, { score: 0.2, because: [] }),
    ];
    expect(await rankByRetrieval().rankTables(question, cards)).toEqual([
      {
        name: 'sales.orders',
        score: 10,
        because: 'its name has words of the question: orders; it is in use',
      },
      { name: 'web.ga_sessions_20170801', score: 3, because: 'nothing in it is like the question' },
    ]);
  });

  it('gives every table 1 where nothing was found, and nothing to no tables', async () => {
    const cards = [card(orders, { score: 0, because: [] })];
    expect(await rankByRetrieval().rankTables(question, cards)).toMatchObject([{ score: 1 }]);
    expect(await rankByRetrieval().rankTables(question, [])).toEqual([]);
  });

  it.each([
    ['a stored value', { values: ['Y'], score: 0.1 }, 'relevant'],
    ['half of its name', { values: [], score: 0.5 }, 'relevant'],
    ['something', { values: [], score: 0.3 }, 'maybe'],
    ['nothing', { values: [], score: 0 }, undefined],
  ] as const)('puts a column with %s of the question into its tier', async (_, { values, score }, tier) => {
    const column = orders.columns[2];
    if (column === undefined) throw new Error('the fixture has three columns');
    const own: ColumnCard = {
      column,
      description: '',
      isPartitionKey: false,
      references: [],
      values: texts(...values),
      popularity: 0,
      found: { score, because: texts('a reason') },
    };
    const part: TablePart = { table: orders, description: '', columns: [own], part: 1, parts: 1, joins: [] };
    const tiers = await rankByRetrieval().rankColumns(question, [part]);
    expect(tiers).toEqual(
      tier === undefined
        ? []
        : [{ table: 'sales.orders', column: 'status (Y/N)', tier, because: 'a reason' }],
    );
  });
});
