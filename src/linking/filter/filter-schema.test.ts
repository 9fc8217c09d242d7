import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import type { Catalog, ForeignKey } from '../../catalog/index.ts';
import { estimateTokens, renderSchema } from '../../catalog/prompt-schema/index.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import { emptySemanticModel, type Metric } from '../../knowledge/semantic/index.ts';
import { joinKeys } from '../join-paths/join-keys.ts';
import { type FilterEvidence, filterEvidence } from './filter-evidence.ts';
import { type FilterOptions, filterSchema } from './filter-schema.ts';

const key = (from: string, to: string): ForeignKey => ({
  ...{ fromTable: from.split('.')[0] ?? '', fromColumns: [from], toTable: to.split('.')[0] ?? '' },
  ...{ toColumns: [to], source: 'declared' },
});

/** Tables whose first column is their key where it is called id. */
function catalogOf(tables: Readonly<Record<string, string>>, keys: readonly ForeignKey[]): Catalog {
  const small = smallCatalog(
    Object.fromEntries(Object.entries(tables).map(([name, columns]) => [name, columns.split(' ')])),
  );
  return {
    ...small,
    tables: small.tables.map((table) => ({
      ...table,
      primaryKey: table.columns.flatMap(({ id, name }) => (name === 'id' ? [id] : [])),
    })),
    foreignKeys: keys,
  };
}

const signals = (kind: 'value' | 'description' | 'name', scores: Readonly<Record<string, number>>) =>
  new Map(
    Object.entries(scores).map(([id, score]) => [
      id,
      { score, because: [{ kind, text: `${kind} of ${id}` }] },
    ]),
  );
interface Scores {
  readonly values?: Readonly<Record<string, number>>;
  readonly columns?: Readonly<Record<string, number>>;
  readonly names?: Readonly<Record<string, number>>;
}
const evidenceOf = ({ values = {}, columns = {}, names = {} }: Scores): FilterEvidence => ({
  ...{ values: signals('value', values), columns: signals('description', columns) },
  names: signals('name', names),
});

const filter = (catalog: Catalog, evidence: FilterEvidence, options: FilterOptions = {}) =>
  filterSchema(catalog, evidence, joinKeys(indexTables(catalog)), options);
const columnsOf = ({ tables }: Catalog): string[] =>
  tables.flatMap(({ columns }) => columns.map(({ id }) => id));

/** ThothAI, section 10. */
const TOY = catalogOf({ a: 'id x y', b: 'id a_id z', c: 'id w' }, [key('b.a_id', 'a.id')]);
const FOUND = evidenceOf({ values: { 'a.x': 0.9 }, columns: { 'b.z': 0.5 } });

describe('the backbone (ThothAI, section 10)', () => {
  it.each<[FilterOptions['backbone'], string]>([
    ['all', 'a.id a.x b.id b.a_id b.z c.id'],
    ['touched', 'a.id a.x b.id b.a_id b.z'],
    ['paths', 'a.id a.x b.id b.a_id b.z'],
  ])('%s keeps %s', (backbone, kept) =>
    expect(columnsOf(filter(TOY, FOUND, { backbone }).catalog).join(' ')).toBe(kept),
  );

  it('never drops the keys, as the runtime of the source does', () => {
    for (const backbone of ['all', 'touched', 'paths'] as const)
      expect(columnsOf(filter(TOY, FOUND, { backbone }).catalog).join(' ')).not.toBe('a.x b.z');
  });

  it('is that of the paths where nothing else is said, with the tables between', () => {
    const shop = catalogOf({ a: 'id x', ab: 'a_id b_id note', b: 'id z', c: 'id' }, [
      ...[key('ab.a_id', 'a.id'), key('ab.b_id', 'b.id')],
    ]);
    const found = evidenceOf({ columns: { 'a.x': 0.4, 'b.z': 0.5 } });
    const { catalog, items } = filter(shop, found);
    expect(columnsOf(catalog)).toEqual(['a.id', 'a.x', 'ab.a_id', 'ab.b_id', 'b.id', 'b.z']);
    expect(catalog.foreignKeys).toHaveLength(2);
    expect(items.filter(({ isAuto }) => isAuto).map(({ id }) => id)).toEqual(['ab', 'ab.a_id', 'ab.b_id']);
    expect(columnsOf(filter(shop, found, { backbone: 'touched' }).catalog)).toEqual([
      'a.id',
      'a.x',
      'b.id',
      'b.z',
    ]);
    expect(columnsOf(filter(shop, found, { maxHops: 1 }).catalog)).not.toContain('ab.a_id');
    expect(filter(shop, found, { maxHops: 1 }).warnings).toEqual([
      'no join path connects these tables: a | b',
    ]);
  });
});

describe('what speaks for a column', () => {
  it('is a name that is like a keyword, unless that is switched off', () => {
    const found = evidenceOf({ names: { 'c.w': 1 } });
    expect(columnsOf(filter(TOY, found).catalog)).toEqual(['c.id', 'c.w']);
    expect(columnsOf(filter(TOY, found, { useNameMatches: false }).catalog)).toEqual([]);
  });

  it('is told with its reasons, the highest score, and where it stands', () => {
    const { items } = filter(
      TOY,
      evidenceOf({ values: { 'a.x': 0.4 }, columns: { 'a.x': 0.9, 'a.id': 0.5 } }),
    );
    expect(items.map(({ id, kind, score }) => [id, kind, score])).toEqual([
      ['a', 'table', 0.9],
      ['a.id', 'field', 0.5],
      ['a.x', 'field', 0.9],
    ]);
    expect(items[1]?.because).toEqual([
      { kind: 'description', text: 'description of a.id' },
      { kind: 'key', text: 'it is the primary key' },
    ]);
    expect(items[2]?.because.map(({ kind }) => kind)).toEqual(['value', 'description']);
    expect(items[0]?.because[0]).toEqual({ kind: 'value', text: 'its column x: value of a.x' });
  });

  it('is not believed where the schema has no such column', () => {
    const { catalog, warnings } = filter(TOY, evidenceOf({ columns: { 'gone.x': 1, 'c.w': 0.5 } }));
    expect(columnsOf(catalog)).toEqual(['c.id', 'c.w']);
    expect(warnings).toEqual(['what was found is not in the schema: gone.x']);
  });

  it('may be a metric or a dimension: its table, columns, conditions and time', () => {
    const metric = (name: string, expression: string, more: Partial<Metric> = {}): Metric => ({
      ...{ name, synonyms: [], table: 'b', expression, filters: [], mandatoryDimensions: [] },
      ...{ conditionalFilters: [], ...more },
    });
    const [sum, count] = [
      metric('sum', 'SUM(b.z)', { filters: ['b.a_id > 1'] }),
      metric('count', 'COUNT(*)'),
    ];
    const ratio: Metric = { ...metric('mean', ''), ratio: { numerator: 'sum', denominator: 'count' } };
    const dimension = { name: 'w', synonyms: [], table: 'c', column: 'c.w', isTime: false };
    const found = (item: Metric, score: number) =>
      filterEvidence(
        {
          ...{ values: [], columns: [], metrics: [{ item, score, because: [] }] },
          dimensions: [{ item: dimension, score: item === sum ? 1 : 0.5, because: [] }],
        },
        { tables: indexTables(TOY), semantics: { ...emptySemanticModel, metrics: [sum, count] } },
      );
    expect([...(found(sum, 1).defined?.keys() ?? [])]).toEqual(['b', 'b.z', 'b.a_id', 'c.w']);
    expect([...(found(ratio, 1).defined?.keys() ?? [])]).toEqual(['b', 'b.z', 'b.a_id']);
    expect([...(found(ratio, 0.9).defined?.keys() ?? [])]).toEqual([]);
    expect([...(found(metric('bad', 'SUM('), 1).defined?.keys() ?? [])]).toEqual(['b']);
    expect(columnsOf(filter(TOY, found(count, 1)).catalog)).toEqual(['b.id', 'b.a_id']);
    expect(filter(TOY, found(sum, 1)).items[0]?.because[0]?.text).toBe('the metric sum is made of it');
  });
});

describe('over the limit', () => {
  const wide = catalogOf({ a: 'id p q r s', b: 'x y' }, []);
  const found = evidenceOf({
    columns: { 'a.p': 0.4, 'a.q': 0.9, 'a.r': 0.4, 'a.s': 0.8, 'b.x': 0.1, 'b.y': 0.2 },
  });
  const limited = (most: number) =>
    filter(wide, found, { backbone: 'touched', tokens: most, countTokens: (part) => columnsOf(part).length });

  it.each<[number, string, number]>([
    [7, 'a.id a.p a.q a.r a.s b.x b.y', 0],
    [5, 'a.id a.p a.q a.r a.s', 2],
    [4, 'a.id a.p a.q a.s', 3],
    [1, 'a.id', 6],
  ])('%i: keeps %s', (most, kept, cut) => {
    const { catalog, leftOut, warnings } = limited(most);
    expect(columnsOf(catalog).join(' ')).toBe(kept);
    expect(leftOut).toHaveLength(cut === 0 ? 0 : 1);
    if (cut > 0) expect(leftOut[0]).toContain(`${cut} of 7 columns cut to stay within ${most} tokens`);
    expect(warnings).toEqual([]);
  });

  it('keeps the keys whatever they take, and says so', () => {
    const { catalog, warnings } = limited(0);
    expect(columnsOf(catalog)).toEqual(['a.id']);
    expect(warnings).toEqual(['the keys alone take about 1 tokens, more than the 0 allowed']);
  });

  it('measures the text as it is shown', () => {
    const { catalog } = filter(wide, found, { tokens: 40 });
    expect(estimateTokens(renderSchema(catalog))).toBeLessThanOrEqual(40);
    expect(columnsOf(catalog)).toContain('a.q');
  });
});

describe('for any evidence', () => {
  const names = [...'abcdef'];
  const anyCase = fc.record({
    keys: fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 8 }),
    found: fc.dictionary(
      fc.constantFrom(...names.flatMap((name) => [`${name}.x`, `${name}.y`, `${name}.id`])),
      fc.double({ min: 0, max: 1, noNaN: true }),
      { maxKeys: 6 },
    ),
    tokens: fc.integer({ min: 0, max: 20 }),
  });
  const made = (keys: readonly (readonly [string, string])[]): Catalog =>
    catalogOf(
      Object.fromEntries(
        names.map((name) => [name, `id x y ${names.map((other) => `to_${other}`).join(' ')}`]),
      ),
      keys.map(([from, to]) => key(`${from}.to_${to}`, `${to}.id`)),
    );

  it('all that was found stays, touched is a part of paths, and the order is that of the catalog', () =>
    fc.assert(
      fc.property(anyCase, ({ keys, found }) => {
        const catalog = made(keys);
        const kept = (backbone: FilterOptions['backbone']): string[] =>
          columnsOf(filter(catalog, evidenceOf({ columns: found }), { backbone }).catalog);
        const { items } = filter(catalog, evidenceOf({ columns: found }));
        const all = new Set(kept('all'));
        expect(kept('touched').every((id) => all.has(id))).toBe(true);
        expect(kept('paths')).toEqual(expect.arrayContaining(kept('touched')));
        expect(kept('touched')).toEqual(expect.arrayContaining(Object.keys(found)));
        const order = catalog.tables.flatMap(({ id, columns }) => [
          id,
          ...columns.map((column) => column.id),
        ]);
        expect(items.map(({ id }) => id)).toEqual(order.filter((id) => items.some((item) => item.id === id)));
        for (const { because } of items) expect(because.length).toBeGreaterThan(0);
      }),
    ));

  it('what is cut is never better than what is kept', () =>
    fc.assert(
      fc.property(anyCase, ({ keys, found, tokens }) => {
        const catalog = made(keys);
        const { catalog: part, items } = filter(catalog, evidenceOf({ columns: found }), {
          ...{ tokens, countTokens: (each: Catalog) => columnsOf(each).length },
        });
        const kept = new Set(columnsOf(part));
        const cut = Object.entries(found).filter(([id]) => !kept.has(id));
        const others = items.filter(
          ({ kind, because }) => kind === 'field' && because.every((reason) => reason.kind === 'description'),
        );
        for (const [, score] of cut)
          for (const other of others) expect(other.score).toBeGreaterThanOrEqual(score);
        expect(kept.size <= tokens || others.length === 0).toBe(true);
      }),
    ));
});
