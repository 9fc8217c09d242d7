import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { hypothesis, type LinkScript, scriptedReasoner } from '../../../test/reasoners/scripted-reasoner.ts';
import { shareCatalog, shareStatistics } from '../../catalog/share/index.ts';
import { CandorError } from '../../errors.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import { TokenLedger } from '../../model/index.ts';
import type { LinkQuestion, SchemaView } from '../../reasoning/roles/link-reasoner.ts';
import { groundPaths } from './ground-paths.ts';
import { EVILINK_DEFAULTS, type EvilinkSettings } from './items/evilink-settings.ts';
import type { EvilinkSources } from './items/evilink-sources.ts';
import { indexItems } from './items/link-items.ts';
import { resolveNames } from './items/resolve-names.ts';
import { viewScope } from './items/schema-scope.ts';

const days = ['01', '02', '03', '04'].map((day) => `web.hits_201707${day}`);
const tables = indexTables(
  smallCatalog({
    'sales.orders': ['id', 'city', 'shop_id'],
    'sales.shops': ['id', 'name'],
    ...Object.fromEntries(days.map((name) => [name, ['page', 'visitor']])),
  }),
);
const HYPOTHESES = [hypothesis('h1', ['orders']), hypothesis('h2', ['shops'])];

async function ground(
  script: Partial<LinkScript>,
  settings: Partial<EvilinkSettings> = {},
  more: Partial<EvilinkSources> = {},
) {
  const sources: EvilinkSources = { tables, notes: new Map(), membersOf: (id) => [id], ...more };
  const items = indexItems(sources.tables);
  const reasoner = scriptedReasoner({ hypotheses: HYPOTHESES, tables: {}, fields: {}, ...script });
  const question: LinkQuestion = { text: 'how many?', knowledge: [], ledger: new TokenLedger() };
  const grounded = await groundPaths(HYPOTHESES, {
    question,
    reasoner,
    sources,
    settings: { ...EVILINK_DEFAULTS, ...settings },
    items,
    names: resolveNames(sources.tables, items),
    scope: viewScope(sources, items, 200),
  });
  const paths = grounded.paths.map((path) => ({
    hypothesis: path.hypothesis,
    tables: [...path.tables.keys()],
    fields: [...path.fields.keys()],
  }));
  const seen = reasoner.seen.map(({ role, hypothesis: id, view }) => ({
    role,
    id,
    view: view as SchemaView,
  }));
  return { ...grounded, paths, whys: grounded.paths, seen };
}

const error = (code: ConstructorParameters<typeof CandorError>[0]) => new CandorError(code, 'it\nfailed');

describe('a path', () => {
  it('chooses tables at L0, then fields of those at L1', async () => {
    const { paths, seen, warnings, whys } = await ground({
      tables: { h1: ['ORDERS: counted', 'orders: again'], h2: ['"sales"."shops"', 'nothing', 'nothing'] },
      fields: { h1: ['orders.id'], h2: ['shops.name: shown'] },
    });
    expect(paths).toEqual([
      { hypothesis: 'h1', tables: ['sales.orders'], fields: ['sales.orders.id'] },
      { hypothesis: 'h2', tables: ['sales.shops'], fields: ['sales.shops.name'] },
    ]);
    expect(whys.map((path) => [...path.tables.values(), ...path.fields.values()])).toEqual([
      ['counted', ''],
      ['', 'shown'],
    ]);
    expect(warnings).toEqual(['h2 named 1 that the catalog does not have: nothing']);
    const h1 = seen.filter(({ id }) => id === 'h1');
    expect(h1.map(({ role, view }) => [role, view.level, view.tables.map(({ table }) => table.id)])).toEqual([
      ['select tables', 'L0', ['sales.orders', 'sales.shops', 'web.hits_20170701']],
      ['select fields', 'L1', ['sales.orders']],
    ]);
  });

  it('takes the table of a field it was not shown, and lets a table without fields stand', async () => {
    const { paths } = await ground({
      tables: { h1: ['orders'] },
      fields: { h1: ['shops.name'] },
    });
    expect(paths[0]).toEqual({
      hypothesis: 'h1',
      tables: ['sales.orders', 'sales.shops'],
      fields: ['sales.shops.name'],
    });
  });

  it('gives the vote of a family to its chosen members, and one of its tables to that alone', async () => {
    const { paths } = await ground(
      {
        tables: { h1: ['hits_#'], h2: ['hits_20170701'] },
        fields: { h1: ['hits_20170702.page'], h2: ['page'] },
      },
      {},
      { membersOf: (id) => (id.startsWith('web.') ? days.slice(1, 3) : []) },
    );
    const members = ['web.hits_20170702', 'web.hits_20170703'];
    expect(paths).toEqual([
      { hypothesis: 'h1', tables: members, fields: members.map((id) => `${id}.page`) },
      { hypothesis: 'h2', tables: ['web.hits_20170701'], fields: ['web.hits_20170701.page'] },
    ]);
  });

  it('asks in parts that fit', async () => {
    const wide = indexTables(
      smallCatalog({ a: Array.from({ length: 100 }, (_, at) => `column_${at}`), b: ['x'], c: ['y'] }),
    );
    const { seen, paths } = await ground(
      { tables: { h1: ['a', 'b', 'c'] }, fields: { h1: ['a.column_1', 'b.x'] } },
      { chunkCharacters: 1_000 },
      { tables: wide },
    );
    const shown = seen
      .filter(({ id }) => id === 'h1')
      .map(({ view }) => view.tables.map(({ table }) => table.id));
    expect(shown).toEqual([['a'], ['b', 'c'], ['a'], ['b', 'c']]);
    expect(paths[0]).toEqual({ hypothesis: 'h1', tables: ['a', 'b', 'c'], fields: ['a.column_1', 'b.x'] });
  });
});

describe('paths', () => {
  it('that fail are dropped, which makes K smaller', async () => {
    const { paths, warnings } = await ground({
      tables: { h1: error('model.bad-reply'), h2: ['shops'] },
    });
    expect(paths.map((path) => path.hypothesis)).toEqual(['h2']);
    expect(warnings).toEqual(['h1 was dropped, model.bad-reply: it failed']);
  });

  it('that all fail are an error with the first cause', async () => {
    const failing = ground({ tables: { h1: error('model.bad-reply'), h2: error('model.unreachable') } });
    await expect(failing).rejects.toMatchObject({
      code: 'linking.no-path',
      message: expect.stringMatching(
        /h1 was dropped, model\.bad-reply: .*; h2 was dropped, model\.unreachable/,
      ),
      cause: { code: 'model.bad-reply' },
    });
  });

  it.each([error('model.cancelled'), error('internal.bug'), new TypeError('a bug')])(
    'do not hide %s',
    async (thrown) => {
      await expect(ground({ tables: { h1: thrown, h2: ['shops'] } })).rejects.toBe(thrown);
    },
  );

  it('ask once more with types when all of them choose nothing', async () => {
    const { seen, warnings, paths } = await ground({ tables: { h1: ['nothing'] } });
    expect(seen.map(({ view }) => view.level)).toEqual(['L0', 'L0', 'L1', 'L1']);
    expect(warnings).toContain('no hypothesis chose a table from names alone: asked once more with types');
    expect(paths.map((path) => path.tables)).toEqual([[], []]);
    expect((await ground({}, { tableLevel: 'L2' })).seen.length).toBe(2);
  });

  it('show statistics to the ablation that wants them', async () => {
    const asked: string[] = [];
    const profiled = smallCatalog({ a: ['x'] });
    const profile = { scannedRows: 1, nullCount: 0, distinctCount: 1, examples: ['1'] };
    const catalog = {
      ...profiled,
      tables: profiled.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => ({ ...column, profile })),
      })),
    };
    const statisticsOf = async (id: string) => {
      asked.push(id);
      return shareStatistics({ mean: 5 }, profile, 'all');
    };
    const { seen } = await ground(
      { tables: { h1: ['a'] } },
      { tableLevel: 'L3' },
      { tables: indexTables(shareCatalog(catalog, 'all')), statisticsOf },
    );
    expect(seen[0]?.view.tables[0]?.columns[0]?.profile?.statistics).toEqual({ mean: 5 });
    expect(asked).toEqual(['a.x']);
  });
});
