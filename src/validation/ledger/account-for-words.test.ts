import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SMALL_CATALOG } from '../../../test/fixtures/grounded/small-catalog.ts';
import type { WordUse } from '../../answer.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import { emptySemanticModel, type SemanticModel } from '../../knowledge/semantic/index.ts';
import { accountForWords, tellingWords } from './account-for-words.ts';

const schema = prepareSchemaFacts(SMALL_CATALOG);
const now = new Date('2024-10-01T12:00:00Z');

function account(
  question: string,
  sql: string,
  semantics: SemanticModel = emptySemanticModel,
  hint?: string,
) {
  const read = readQuery(sql, 'sqlite', SMALL_CATALOG);
  if (!read.ok) throw new Error(`${sql} ${read.because}`);
  const explained = hint === undefined ? [] : [hint];
  return accountForWords(question, read.query, { schema, semantics, now, explained });
}

const unusedIn = (words: readonly WordUse[]) => tellingWords(words).map(({ text }) => text);

const file = new URL('../../../test/fixtures/ledger/words.jsonl', import.meta.url);
const ROW = z.strictObject({ ask: z.string(), sql: z.string(), unused: z.array(z.string()) });
const ROWS = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => ROW.parse(JSON.parse(line)));

describe('the ledger of words', () => {
  it.each(ROWS)('$ask · $sql', ({ ask, sql, unused }) => {
    expect(unusedIn(account(ask, sql))).toEqual(unused);
  });

  it.each(ROWS)(
    'has every word of “$ask” once, in order, with places inside of the query',
    ({ ask, sql }) => {
      const words = account(ask, sql);
      const said = words.map(({ span, text }) => {
        expect(ask.slice(span.start, span.end)).toBe(text);
        return span;
      });
      said.slice(1).forEach(({ start }, at) => {
        expect(start).toBeGreaterThanOrEqual(said[at]?.end ?? 0);
      });
      // What lies between two expressions is no word.
      const between = words.reduce(
        (rest, { span }) =>
          rest.slice(0, span.start) + ' '.repeat(span.end - span.start) + rest.slice(span.end),
        ask,
      );
      expect(between).not.toMatch(/[\p{L}\p{N}]/u);
      for (const { claim } of words)
        if (claim.kind === 'query')
          for (const { start, end } of claim.sqlSpans) {
            expect(start).toBeLessThan(end);
            expect(end).toBeLessThanOrEqual(sql.length);
          }
    },
  );

  it('takes words of the semantic model for what they stand for', () => {
    const semantics: SemanticModel = {
      ...emptySemanticModel,
      valueMappings: [{ column: 'singers.country', value: 'Sweden', surface: ['well-behaved', 'northern'] }],
    };
    const sql = "SELECT name FROM singers WHERE country = 'Sweden'";
    expect(unusedIn(account('northern singers', sql, semantics))).toEqual([]);
    expect(unusedIn(account('well-behaved singers', sql, semantics))).toEqual([]);
    expect(unusedIn(account('southern singers', sql, semantics))).toEqual(['southern']);
  });

  it('leaves words to a hint that explains them', () => {
    const sql = 'SELECT name FROM singers WHERE salary > 4000';
    expect(unusedIn(account('wealthy singers', sql))).toEqual(['wealthy']);
    expect(
      unusedIn(account('wealthy singers', sql, emptySemanticModel, 'wealthy means salary > 4000')),
    ).toEqual([]);
  });

  it('does not take the day a place was opened for the day something happened there', () => {
    const opened = {
      id: 'stadiums.opened_on',
      name: 'opened_on',
      type: 'DATE',
      family: 'time',
      nullable: true,
    };
    const tables = SMALL_CATALOG.tables.map((table) =>
      table.id === 'stadiums'
        ? { ...table, columns: [...table.columns, { ...table.columns[0], ...opened }] }
        : table,
    );
    const catalog = { ...SMALL_CATALOG, tables } as typeof SMALL_CATALOG;
    const unused = (question: string, column: string) => {
      const sql = `SELECT COUNT(*) FROM concerts c JOIN stadiums s ON c.stadium_id = s.stadium_id WHERE ${column} >= '2024-01-01'`;
      const read = readQuery(sql, 'sqlite', catalog);
      if (!read.ok) throw new Error(read.because);
      const context = { schema: prepareSchemaFacts(catalog), semantics: emptySemanticModel, now };
      return unusedIn(accountForWords(question, read.query, context));
    };
    expect(unused('concerts since 2024', 's.opened_on')).toEqual(['since 2024']);
    expect(unused('concerts since 2024', 'c.held_on')).toEqual([]);
    expect(unused('concerts in stadiums opened since 2024', 's.opened_on')).toEqual([]);
  });

  describe('with columns of other kinds', () => {
    const people = SMALL_CATALOG.tables.map((table) => {
      const [first] = table.columns;
      if (table.id !== 'singers' || first === undefined) return table;
      const column = (name: string, family: 'number' | 'text', distinctCount: number) => ({
        ...{ ...first, id: `singers.${name}`, name, family, type: family === 'number' ? 'INTEGER' : 'TEXT' },
        profile: { ...first.profile, distinctCount } as NonNullable<typeof first.profile>,
      });
      const more = [column('active', 'number', 2), column('milliseconds', 'number', 6)];
      return { ...table, columns: [...table.columns, ...more] };
    });
    const catalog: typeof SMALL_CATALOG = { ...SMALL_CATALOG, tables: people };

    it.each([
      ['active singers', 'SELECT name FROM singers WHERE active = 1', []],
      ['active singers', 'SELECT name FROM singers WHERE active = 0', ['active']],
      ['singers that are not active', 'SELECT name FROM singers WHERE active = 0', []],
      ['singers whose active is 0', 'SELECT name FROM singers WHERE active = 0', []],
      ['singers under 3 minutes', 'SELECT name FROM singers WHERE milliseconds < 3', ['3']],
      ['singers under 3 minutes', 'SELECT name FROM singers WHERE milliseconds < 180000', []],
      ['singers under 3 minutes', 'SELECT name FROM singers WHERE milliseconds / 60000 < 3', []],
    ])('%s · %s', (question, sql, unused) => {
      const read = readQuery(sql, 'sqlite', catalog);
      if (!read.ok) throw new Error(read.because);
      const context = { schema: prepareSchemaFacts(catalog), semantics: emptySemanticModel, now };
      expect(unusedIn(accountForWords(question, read.query, context))).toEqual(unused);
    });
  });

  it('takes the words of a relationship for the key that it goes by', () => {
    const semantics: SemanticModel = {
      ...emptySemanticModel,
      relationships: [
        {
          ...{ name: 'song_singer', from: 'songs', to: 'singers', synonyms: ['performed first by'] },
          ...{ fromColumns: ['songs.singer_id'], toColumns: ['singers.singer_id'], role: 'premiere' },
        },
      ],
    };
    const sql =
      'SELECT s.name, COUNT(*) FROM songs g JOIN singers s ON g.singer_id = s.singer_id GROUP BY s.name';
    expect(unusedIn(account('premiere songs per singer', sql, semantics))).toEqual([]);
    expect(unusedIn(account('premiere songs per singer', sql))).toEqual(['premiere']);
  });

  it('survives any text', () => {
    for (const text of ['', '???', '; ; ;', '“', 'a'.repeat(4000), '🦆 '.repeat(300), '12 34 .. 5e9 -- /*'])
      expect(Array.isArray(account(text, 'SELECT name FROM singers'))).toBe(true);
  });
});
