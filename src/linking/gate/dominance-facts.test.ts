import { expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import type { FoundValues } from '../../knowledge/retrieve/settings/retrieved.ts';
import type { Metric } from '../../knowledge/semantic/index.ts';
import { dominanceFacts } from './choose-mode.ts';

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
