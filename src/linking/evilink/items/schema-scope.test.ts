import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../../test/fixtures/retrieval/small-catalog.ts';
import { authoredText } from '../../../catalog/share/index.ts';
import { indexTables } from '../../../knowledge/retrieve/index.ts';
import type { EvilinkSources } from './evilink-sources.ts';
import { indexItems } from './link-items.ts';
import { viewScope } from './schema-scope.ts';

const days = ['01', '02', '03', '04'].map((day) => `web.hits_201707${day}`);
const tables = indexTables(
  smallCatalog({
    'sales.orders': ['id', 'city'],
    ...Object.fromEntries(days.map((name) => [name, ['page', 'visitor']])),
    'sales.shops': ['id'],
    'hr.staff': ['id', 'salary'],
  }),
);

function scopeOf(more: Partial<EvilinkSources> = {}, preCut = 200) {
  const sources = { tables, notes: new Map(), membersOf: (id: string) => [id], ...more };
  return viewScope(sources, indexItems(tables), preCut);
}
const idsOf = ({ tables: shown }: ReturnType<typeof scopeOf>) => shown.map(({ table }) => table.id);

describe('the schema in view', () => {
  it('has families once and schemas side by side', () => {
    const scope = scopeOf();
    expect(idsOf(scope)).toEqual(['sales.orders', 'sales.shops', 'web.hits_20170701', 'hr.staff']);
    expect(scope.tables[2]?.family).toEqual({
      pattern: 'hits_#',
      total: 4,
      first: 'hits_20170701',
      last: 'hits_20170704',
    });
    expect(scope.tables[0]).not.toHaveProperty('family');
  });

  it('shows the member that the question is likeliest about, which stands for the chosen ones', () => {
    const membersOf = (id: string) =>
      id.startsWith('web.') ? ['web.hits_20170703', 'web.hits_20170704'] : [];
    const scope = scopeOf({ membersOf });
    expect(idsOf(scope)).toContain('web.hits_20170703');
    expect(scope.membersOf('web.hits_20170703')).toEqual(['web.hits_20170703', 'web.hits_20170704']);
    expect(scope.membersOf('web.hits_20170701')).toEqual(['web.hits_20170701']);
    expect(scope.membersOf('hr.staff')).toEqual(['hr.staff']);
  });

  it('believes no member that is of another family', () => {
    const scope = scopeOf({ membersOf: () => ['hr.staff', 'nothing'] });
    expect(idsOf(scope)).toContain('web.hits_20170701');
    expect(scope.membersOf('web.hits_20170701')).toEqual(['web.hits_20170701']);
  });

  it('shows notes of all members at the one in view', () => {
    const notes: EvilinkSources['notes'] = new Map([
      [
        'web.hits_20170702.page',
        [
          authoredText('the value “home” occurs'),
          { kind: 'value' as const, text: authoredText('two\nlines') },
        ],
      ],
      ['web.hits_20170704', [authoredText('popular')]],
    ]);
    const scope = scopeOf({ notes });
    expect(scope.notesOf('web.hits_20170701.page')).toEqual(['the value “home” occurs', 'two lines']);
    expect(scope.notesOf('web.hits_20170701')).toEqual(['popular']);
    expect(scope.notesOf('sales.orders')).toEqual([]);
  });

  it('is cut by notes, then by the ranking, and says so', () => {
    const notes = new Map([['hr.staff.salary', [authoredText('pay')]]]);
    const scope = scopeOf({ notes, ranking: ['web.hits_20170702', 'sales.shops'] }, 2);
    expect(idsOf(scope)).toEqual(['web.hits_20170701', 'hr.staff']);
    expect(scope.leftOut).toEqual(['2 of 4 tables looked at, families counted once']);
    expect(idsOf(scopeOf({}, 2))).toEqual(['sales.orders', 'web.hits_20170701']);
  });
});
