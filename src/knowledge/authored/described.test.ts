import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { dropGuesses, keepDescribed, readDescribedFile } from '../described/change-described.ts';
import { findUndescribed } from '../described/find-undescribed.ts';
import { guessNotes } from '../described/guess-notes.ts';
import { tableState, visibleGuesses } from '../described/read-described.ts';
import { emptySemanticModel } from '../semantic/read-semantic-model.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import type { Authored } from './authored.ts';
import type { DescribedTable, Guess } from './described.ts';

const column = (name: string, values: readonly string[] = [], comment?: string): Column => ({
  ...{ id: `orders.${name}`, tableId: 'orders', name, type: 'TEXT', family: 'text', isNullable: true },
  comment,
  profile: { scannedRows: 9, nullCount: 0, distinctCount: values.length, examples: values },
});
const orders = (...columns: readonly Column[]): Table => ({
  ...{ id: 'orders', name: 'orders', kind: 'table', columns, primaryKey: [], rowCount: 9 },
});
const catalogOf = (...tables: readonly Table[]): Catalog => ({
  ...{ database: 'shop', dialect: 'sqlite', tables, foreignKeys: [], fingerprint: '1' },
});
const entry = (guesses: readonly Guess[], more: Partial<DescribedTable> = {}): DescribedTable => ({
  ...{
    table: 'orders',
    by: 'm',
    at: '2026-01-02',
    catalog: 'x',
    guesses,
    unknown: [],
    rejected: [],
    place: 'p:1',
  },
  ...more,
});
const authored = (described?: readonly DescribedTable[]): Authored => ({
  ...{ notes: [], jargon: [], statuses: [], areas: [] },
  described,
});
const model = (more: Partial<SemanticModel>): SemanticModel => ({ ...emptySemanticModel, ...more });
const dataset = { name: 'orders', table: 'orders', synonyms: [], primaryKey: [] };

describe('what nobody has described', () => {
  const status = column('status', ['O', 'C', 'X2']);
  const found = (table: Table, semantics = emptySemanticModel, described?: readonly DescribedTable[]) =>
    findUndescribed(
      { catalog: catalogOf(table), semantics, authored: authored(described) },
      { hasValues: true },
    ).map(({ isTable, columns, codes }) => ({
      isTable,
      columns: columns.map(({ name }) => name),
      codes: codes.flatMap(({ values }) => values),
    }));
  const all = { isTable: true, columns: ['status'], codes: ['O', 'C', 'X2'] };
  const guess = { of: 'orders.status', text: 'state', sure: 'high' } as const;
  const state = tableState(orders(status));

  it.each([
    ['is all of a bare table', orders(status), emptySemanticModel, undefined, [all]],
    [
      'is not what the engine has a comment on, nor the codes that the comment tells',
      { ...orders({ ...status, comment: 'O is open, C closed' }), comment: 'sales' },
      emptySemanticModel,
      undefined,
      [{ isTable: false, columns: [], codes: ['X2'] }],
    ],
    [
      'is not what people describe in the model, whose value mappings are of codes',
      orders(status),
      model({
        datasets: [{ ...dataset, description: 'sales' }],
        fields: [{ name: 's', synonyms: [], description: 'state', table: 'orders', column: 'orders.status' }],
        valueMappings: [{ column: 'orders.status', value: 'O', surface: ['open'] }],
      }),
      undefined,
      [{ isTable: false, columns: [], codes: ['C', 'X2'] }],
    ],
    [
      'is not what waits, was rejected, or is unknown to a model',
      orders(status),
      emptySemanticModel,
      [
        entry([guess], {
          ...{
            catalog: state,
            rejected: ['orders'],
            unknown: ['orders.status=O', 'orders.status=C', 'orders.status=X2'],
          },
        }),
      ],
      [],
    ],
    [
      'is what a model did not know before the table changed',
      orders(status),
      emptySemanticModel,
      [entry([guess], { unknown: ['orders', 'orders.status=O'] })],
      [{ isTable: true, columns: [], codes: ['O', 'C', 'X2'] }],
    ],
  ] as const)('%s', (_, table, semantics, described, expected) =>
    expect(found(table, semantics, described)).toEqual(expected),
  );

  it.each([
    ['words', ['open', 'closed', 'late']],
    ['years', ['2019', '2020', '2021']],
    ['yes and no', ['Y', 'N']],
    ['one value', ['A']],
  ])('has no codes: %s', (_, values) =>
    expect(found(orders(column('x', values)))).toMatchObject([{ codes: [] }]),
  );
});

describe('what a writer is told', () => {
  const table = orders(column('status', ['O', 'C']), column('region'));
  const guesses: readonly Guess[] = [
    { of: 'orders', text: 'one sale', sure: 'high' },
    { of: 'orders.status', text: 'where it stands', sure: 'medium' },
    { of: 'orders.status', value: 'O', text: 'open', sure: 'high' },
    { of: 'orders.region', text: 'hardly known', sure: 'low' },
    { of: 'orders.gone', text: 'was there once', sure: 'high' },
  ];
  const told = (semantics: SemanticModel, { isPrivate = false, by = authored([entry(guesses)]) } = {}) => {
    const { tables, columns } = guessNotes(by, semantics, catalogOf(table), { isPrivate });
    return Object.fromEntries([...tables, ...columns]);
  };

  it('is marked, and nothing that is hardly more than a guess or about what is not there', () =>
    expect(told(emptySemanticModel)).toEqual({
      orders: ['guessed by a model: one sale'],
      'orders.status': ['guessed by a model: where it stands', 'guessed by a model: "O" is open'],
    }));

  it('is nothing where people have said something', () =>
    expect(
      told(
        model({
          datasets: [{ ...dataset, description: 'sales' }],
          valueMappings: [{ column: 'orders.status', value: 'O', surface: ['offen'] }],
        }),
      ),
    ).toEqual({ 'orders.status': ['guessed by a model: where it stands'] }));

  it('is in private mode only what was said without cells', () => {
    expect(told(emptySemanticModel, { isPrivate: true })).toEqual({});
    const by = authored([entry(guesses, { isPrivate: true })]);
    expect(told(emptySemanticModel, { isPrivate: true, by })).toHaveProperty('orders');
  });

  it('names no table that the reader may not see', () => {
    const by = authored([
      entry([{ of: 'orders', text: 'paid by payroll', sure: 'high' }]),
      entry([], { table: 'payroll' }),
    ]);
    const sight = { catalog: catalogOf(table), hiddenTables: new Set(['payroll']) };
    const seen = visibleGuesses(by, sight, { isPrivate: false });
    expect(seen).toEqual([entry([])]);
  });
});

describe('the file of guesses', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'candor-described-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const guess = (of: string, text: string): Guess => ({ of, text, sure: 'high' });
  const keep = (
    guesses: readonly Guess[],
    unknown: readonly string[] = [],
    isPrivate?: true,
  ): Promise<void> =>
    keepDescribed(folder, {
      table: 'orders',
      by: 'm',
      at: '2026-01-02',
      catalog: 'x',
      guesses,
      unknown,
      isPrivate,
    });
  const read = async () => (await readDescribedFile(folder))[0];

  it('takes a newer statement for an older one, and nothing back that was rejected', async () => {
    await keep([guess('orders', 'one'), guess('orders.a', 'two')], ['orders.b']);
    await dropGuesses(folder, 'orders', new Set(['orders.a']), { isRejected: true });
    await keep([guess('orders', 'newer'), guess('orders.a', 'again'), guess('orders.b', 'known now')]);
    expect(await read()).toMatchObject({
      guesses: [guess('orders', 'newer'), guess('orders.b', 'known now')],
      unknown: [],
      rejected: ['orders.a'],
    });
  });

  it('counts as told no cell only what always was', async () => {
    await keep([guess('orders', 'one')], [], true);
    expect(await read()).toMatchObject({ isPrivate: true });
    await keep([guess('orders.a', 'two')]);
    expect((await read())?.isPrivate).toBeUndefined();
    await keep([guess('orders.b', 'three')], [], true);
    expect((await read())?.isPrivate).toBeUndefined();
  });

  it('leaves comments of people, and texts that look like YAML what they are', async () => {
    await keep([guess('orders', 'a: {b} # "c" - d\n')]);
    const path = join(folder, 'described.yml');
    writeFileSync(path, `${readFileSync(path, 'utf8')}# to be asked: Ada\n`);
    await keepDescribed(folder, {
      table: 'no',
      by: 'm',
      at: '2026-01-02',
      catalog: 'x',
      guesses: [],
      unknown: [],
    });
    expect(readFileSync(path, 'utf8')).toContain('# to be asked: Ada');
    expect(await read()).toMatchObject({ guesses: [guess('orders', 'a: {b} # "c" - d\n')] });
  });

  it.each([
    ['tables: {}', ':1:'],
    [
      'tables: [{table: a, by: m, at: 2026-01-02, catalog: x}, {table: a, by: m, at: 2026-01-02, catalog: x}]',
      'a stands twice',
    ],
    ['tables: [{table: a, by: m, at: soon, catalog: x}]', 'expected a day'],
    [
      `tables: [{table: a, by: m, at: 2026-01-02, catalog: x, says: [{of: a, is: ${'x'.repeat(301)}, sure: high}]}]`,
      ':1:',
    ],
    [
      'tables: [{table: a, by: m, at: 2026-01-02, catalog: x, says: [{of: a, is: b, sure: certain}]}]',
      'sure',
    ],
  ])('refuses %s', async (text, why) => {
    writeFileSync(join(folder, 'described.yml'), text);
    await expect(readDescribedFile(folder)).rejects.toMatchObject({
      code: 'knowledge.invalid',
      message: expect.stringContaining(why),
    });
  });
});
