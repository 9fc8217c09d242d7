import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import type { FoundValues } from '../../knowledge/retrieve/settings/retrieved.ts';
import type { Metric } from '../../knowledge/semantic/index.ts';
import {
  chooseMode,
  type DominanceFacts,
  dominanceFacts,
  GATE_DEFAULTS,
  type GateFacts,
  type GateSettings,
} from './choose-mode.ts';

const tables = indexTables(
  smallCatalog({ customers: ['city', 'name'], sales_2023: ['city'], sales_2024: ['city'], other: ['x'] }),
);
const metric = (name: string, score: number) => {
  const item: Metric = { name, synonyms: [], filters: [], mandatoryDimensions: [], conditionalFilters: [] };
  return { item, score, because: [] };
};
/** `city:New York exact`: the column, the keyword, how it matched. */
const found = (
  columnId: string,
  keyword: string,
  match: FoundValues['values'][number]['match'] = 'exact',
) => ({
  item: { columnId, values: [{ value: keyword, keyword, match, ratio: 1 }] },
  ...{ score: 1, because: [] },
});

it.each([
  ['one column', [found('customers.city', 'Berlin')], [], [{ text: 'berlin', columns: 1 }]],
  [
    'two columns',
    [found('customers.city', 'Berlin'), found('other.x', 'berlin', 'folded')],
    [],
    [{ text: 'berlin', columns: 2 }],
  ],
  [
    'one column of a family',
    [found('sales_2023.city', 'Berlin'), found('sales_2024.city', 'Berlin')],
    [],
    [{ text: 'berlin', columns: 1 }],
  ],
  ['what is only like it', [found('customers.city', 'Berlin', 'similar')], [], []],
  ['what is in quotes and not found', [], ['Atlantis'], [{ text: 'atlantis', columns: 0 }]],
  [
    'the longest name that was found',
    [found('customers.city', 'New York'), found('customers.name', 'York')],
    [],
    [{ text: 'new york', columns: 1 }],
  ],
  [
    'a name that holds letters of another',
    [found('customers.city', 'York'), found('customers.name', 'Yorkshire')],
    [],
    [
      { text: 'york', columns: 1 },
      { text: 'yorkshire', columns: 1 },
    ],
  ],
])('counts %s', (_, values, quoted, literals) =>
  expect(dominanceFacts({ metrics: [], values }, { tables, quoted }).literals).toEqual(literals),
);

it('takes metrics that are named in full', () =>
  expect(
    dominanceFacts(
      { metrics: [metric('revenue', 1), metric('cost', 0.5)], values: [] },
      { tables, vague: ['best'] },
    ),
  ).toEqual({ metrics: ['revenue'], literals: [], vague: ['best'] }));

const UNCLEAR: DominanceFacts = { metrics: [], literals: [], vague: [] };
const CLEAR: DominanceFacts = { metrics: ['revenue'], literals: [{ text: 'Berlin', columns: 1 }], vague: [] };
const choose = (facts: Partial<GateFacts>, settings: Partial<GateSettings> = {}) =>
  chooseMode(
    { columns: 100, schemaText: 100, dominance: UNCLEAR, canReason: true, ...facts },
    { ...GATE_DEFAULTS, ...settings },
  );

describe('the vectors of ThothAI, section 9', () => {
  it.each<[string, Partial<GateFacts>, Partial<GateSettings>, 'full' | 'evilink', number]>([
    ['10,000 characters are 7.6 %', { schemaText: 10_000 }, {}, 'full', 2_500],
    [
      '60,000 characters are 45.8 %, within 50',
      { schemaText: 60_000 },
      { maxContextUsage: 0.5 },
      'full',
      15_000,
    ],
    ['60,000 characters are over 40', { schemaText: 60_000 }, {}, 'evilink', 15_000],
    ['exactly 50 % is within 50', { schemaText: 65_536 }, { maxContextUsage: 0.5 }, 'full', 16_384],
    ['a token more is not', { schemaText: 65_540 }, { maxContextUsage: 0.5 }, 'evilink', 16_385],
    ['20,001 columns are over 20,000', { columns: 20_001 }, { maxColumns: 20_000 }, 'evilink', 25],
    ['1,000 columns are within 1,000', { columns: 1_000 }, {}, 'full', 25],
    ['1,001 are not', { columns: 1_001 }, {}, 'evilink', 25],
    ['0 % is over for any schema', { schemaText: 4 }, { maxContextUsage: 0 }, 'evilink', 1],
    ['a window of 0 has no room', { contextWindow: 0 }, {}, 'evilink', 25],
    ['nor has one below', { contextWindow: -1 }, {}, 'evilink', 25],
    ['no schema needs no linking', { columns: 0, schemaText: 0, contextWindow: 0 }, {}, 'full', 0],
    ['a larger window takes it', { schemaText: 60_000, contextWindow: 128_000 }, {}, 'full', 15_000],
    ['the text itself is measured', { schemaText: 'x'.repeat(60_000) }, {}, 'evilink', 15_000],
    [
      'a small schema that cannot be measured is shown',
      { schemaText: undefined, columns: 655 },
      {},
      'full',
      13_100,
    ],
    ['a large one is linked', { schemaText: Number.NaN, columns: 656 }, {}, 'evilink', 13_120],
  ])('%s', (_, facts, settings, mode, tokens) =>
    expect(choose(facts, settings)).toMatchObject({ mode, tokens }),
  );
});

describe('over the limit (overview, section 4)', () => {
  const over = { columns: 2_000 };
  it.each<[string, Partial<GateFacts>, 'filter' | 'evilink', string]>([
    ['one reading stands out', { dominance: CLEAR }, 'filter', 'one reading stands out'],
    ['without values, too', { dominance: { ...CLEAR, literals: [] } }, 'filter', 'one reading stands out'],
    ['no metric', { dominance: { ...CLEAR, metrics: [] } }, 'evilink', 'no metric is named'],
    ['two metrics', { dominance: { ...CLEAR, metrics: ['a', 'b'] } }, 'evilink', '2 metrics are named: a, b'],
    ['a vague word', { dominance: { ...CLEAR, vague: ['best'] } }, 'evilink', '“best” means several things'],
    [
      'a value in two columns',
      { dominance: { ...CLEAR, literals: [{ text: 'Berlin', columns: 2 }] } },
      'evilink',
      '“Berlin” is stored in 2 columns',
    ],
    [
      'a value in none',
      { dominance: { ...CLEAR, literals: [{ text: 'Atlantis', columns: 0 }] } },
      'evilink',
      '“Atlantis” is stored in no column',
    ],
    ['nobody who could reason', { canReason: false }, 'filter', 'no reasoner can weigh readings'],
  ])('%s', (_, facts, mode, why) => {
    const chosen = choose({ ...over, ...facts });
    expect(chosen.mode).toBe(mode);
    expect(chosen.why[0]).toBe('2,000 columns are more than 1,000');
    expect(chosen.why.join()).toContain(why);
  });

  it('says what fits, what does not, and what is assumed', () => {
    expect(choose({ columns: 75, schemaText: 3_932 }).why).toEqual([
      '3 % of the context and 75 columns: the whole schema fits',
    ]);
    expect(choose({ schemaText: 60_000 }).why[0]).toBe(
      'the schema takes 45.8 % of the context, more than 40 %',
    );
    expect(choose({ schemaText: undefined }).why[0]).toContain('20 tokens a column are assumed');
  });
});

it('a larger schema is never shown in full where a smaller one is not', () => {
  const size = fc.record({
    columns: fc.nat(5_000),
    schemaText: fc.nat(200_000),
    contextWindow: fc.nat(100_000),
  });
  fc.assert(
    fc.property(size, fc.nat(1_000), fc.nat(50_000), (facts, columns, characters) => {
      const larger = {
        ...facts,
        columns: facts.columns + columns,
        schemaText: facts.schemaText + characters,
      };
      if (choose(facts).mode !== 'full' && facts.columns > 0) expect(choose(larger).mode).not.toBe('full');
      expect(choose(facts).why.length).toBeGreaterThan(0);
    }),
  );
});
