/** Laws that hold for every schema and question, whatever names people gave. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../test/fixtures/retrieval/small-catalog.ts';
import { scriptedReasoner } from '../../test/reasoners/scripted-reasoner.ts';
import type { Catalog } from '../catalog/index.ts';
import { renderSchema, type SchemaStyle } from '../catalog/prompt-schema/index.ts';
import { CandorError } from '../errors.ts';
import { fallbackKeywords } from '../knowledge/retrieve/index.ts';
import { emptySemanticModel } from '../knowledge/semantic/index.ts';
import { TokenLedger } from '../model/index.ts';
import type { LinkReasoner } from '../reasoning/roles/link-reasoner.ts';
import { writeName } from '../sql/dialects/index.ts';
import { LINK_DEFAULTS, linkSchema } from './link-schema.ts';
import { prepareLinking } from './link-sources.ts';
import type { LinkedSchema, LinkMode } from './schema/linked-schema.ts';
import { itemKey } from './schema/linked-schema.ts';

const WORDS = [
  ...[
    'order',
    'orders',
    'customer',
    'id',
    'order_id',
    'customer_id',
    'date',
    'a',
    'b',
    'sales_2020',
    'sales_2021',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '名',
    '🚗',
    'x"y',
    'na`me',
    '[br]',
    'sp ace',
    'new\nline',
    '\u202eabc',
  ],
];
const word = fc.constantFrom(...WORDS);
const path = fc.oneof(
  word,
  fc.tuple(fc.constantFrom('order', 'b'), word).map((parts) => parts.join('.')),
);
const schemas = fc
  .uniqueArray(
    fc.tuple(path, fc.uniqueArray(word, { maxLength: 5, selector: (name) => name.toLowerCase() })),
    {
      ...{ minLength: 1, maxLength: 7, selector: ([name]) => name.toLowerCase() },
    },
  )
  .map((tables) => smallCatalog(Object.fromEntries(tables)));
const keyed = fc
  .tuple(schemas, fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 6 }))
  .map(([catalog, pairs]): Catalog => {
    const columns = catalog.tables.flatMap((table) => table.columns);
    const foreignKeys = pairs.flatMap(([one, other]) => {
      const [from, to] = [columns[one % columns.length], columns[other % columns.length]];
      if (from === undefined || to === undefined) return [];
      const ends = {
        fromTable: from.tableId,
        fromColumns: [from.id],
        toTable: to.tableId,
        toColumns: [to.id],
      };
      return [{ ...ends, source: 'declared' as const }];
    });
    return { ...catalog, foreignKeys };
  });
const questions = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => `${words.join(' ')} ?`);
const MODES: readonly LinkMode[] = ['full', 'filter', 'evilink'];
const STYLES: readonly SchemaStyle[] = ['thoth', 'xiyan', 'ddl'];

async function link(catalog: Catalog, text: string, mode: LinkMode, risk: number): Promise<LinkedSchema> {
  const risks = { table: risk, column: risk };
  const write = (name: string): string => writeName(name, catalog.dialect);
  const readings = catalog.tables
    .slice(0, 3)
    .flatMap(({ name, columns: [first] }) =>
      first ? `SELECT ${write(first.name)} FROM ${write(name)}` : [],
    );
  return linkSchema(
    { text, knowledge: [], ledger: new TokenLedger() },
    {
      ...(await prepareLinking(catalog)),
      ...{
        semantics: emptySemanticModel,
        keywords: fallbackKeywords(text),
        quoted: [],
        readings: () => readings,
      },
    },
    { ...LINK_DEFAULTS, mode, risks, grounded: { ...LINK_DEFAULTS.grounded, wide: risks, narrow: risks } },
  );
}

describe.each(MODES)('in the mode %s', (mode) => {
  it('items are of the catalog it returns, each once, fields with their tables, put aside ones not among them', async () => {
    await fc.assert(
      fc.asyncProperty(keyed, questions, fc.constantFrom(1e-6, 0.1, 0.35), async (catalog, text, risk) => {
        const linked = await link(catalog, text, mode, risk);
        const { tables } = linked.catalog;
        const inView = new Set(
          tables.flatMap(({ id, columns }) => [
            `table ${id}`,
            ...columns.map((column) => `field ${column.id}`),
          ]),
        );
        const keys = linked.items.map(itemKey);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.filter((key) => !inView.has(key))).toEqual([]);
        for (const { id, columns } of tables)
          if (columns.some((column) => keys.includes(`field ${column.id}`)))
            expect(keys).toContain(`table ${id}`);
        expect(linked.discarded.map(itemKey).filter((key) => keys.includes(key))).toEqual([]);
        if (mode === 'full') expect(linked.catalog).toEqual(catalog);
        else expect(tables.map(({ id }) => `table ${id}`).filter((key) => !keys.includes(key))).toEqual([]);
        expect(await link(catalog, text, mode, risk)).toEqual(linked);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('the schema text has a line for each column in view', async () => {
    await fc.assert(
      fc.asyncProperty(
        keyed,
        questions,
        fc.constantFrom(...STYLES),
        fc.nat(),
        async (catalog, text, style, seed) => {
          const { catalog: part } = await link(catalog, text, mode, 0.1);
          const count = part.tables.reduce((sum, { columns }) => sum + columns.length, 0);
          const lines = renderSchema(part, { style, seed }).split('\n');
          const isColumn = style === 'xiyan' ? /^\(/ : /^ {2}(?!--|(?:PRIMARY|FOREIGN) KEY \()\S/;
          expect(lines.filter((line) => isColumn.test(line))).toHaveLength(count);
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe('a model of which no path comes through', () => {
  const failure = new CandorError('model.unreachable', 'no route');
  const failing = scriptedReasoner({ hypotheses: failure, tables: { h1: failure }, fields: {} });
  const catalog = smallCatalog({ orders: ['id', 'amount'], staff: ['id', 'salary'] });

  it('leaves the schema to the trained ranker, which is said, with the calls it cost', async () => {
    const linked = await linkWith(failing);
    expect(linked.mode).toBe('filter');
    expect(linked.items.map(({ id }) => id)).toContain('orders.amount');
    expect(linked.why).toContain('the model linked nothing');
    expect(linked.warnings[0]).toMatch(
      /^the trained ranker chose, since every hypothesis failed: .*no route/,
    );
    expect(linked.calls.length).toBeGreaterThan(0);
  });

  it('is not mended where it was told to stop', async () => {
    await expect(linkWith(failing, AbortSignal.abort())).rejects.toMatchObject({ code: 'linking.cancelled' });
  });

  async function linkWith(reasoner: LinkReasoner, signal?: AbortSignal): Promise<LinkedSchema> {
    const text = 'the total amount of all orders';
    return linkSchema(
      { text, knowledge: [], ledger: new TokenLedger(), ...(signal && { signal }) },
      {
        ...(await prepareLinking(catalog)),
        ...{ semantics: emptySemanticModel, keywords: [], quoted: [], readings: () => [], reasoner },
      },
      { ...LINK_DEFAULTS, mode: 'evilink' },
    );
  }
});
