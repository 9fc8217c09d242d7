/** Reads the statements of a log; what was read of one is used again for those that differ in constants only. */
import type { Catalog } from '../../../catalog/index.ts';
import type { Token } from '../../../sql/dialects/index.ts';
import { type DialectName, lexSql } from '../../../sql/index.ts';
import type { LogEntry } from '../logs/lines/log-entry.ts';
import { isPersonalColumn } from './constants.ts';
import { readStatement } from './read-statement.ts';
import { Recent } from './recent.ts';
import { readUse, splitStatements } from './statement-parts.ts';
import type { ReadStatement, StatementReading, TableLookup } from './table-reader.ts';

const MAX_TEXTS = 20_000;
const MAX_SHAPES = 50_000;
const MAX_CHARACTERS = 20_000_000;

type Logged = Pick<LogEntry, 'sql' | 'database' | 'schema' | 'inputs'>;

/** Lives as long as an ingestion. */
export class StatementReader {
  readonly #tables: Catalog | TableLookup;
  readonly #personalOf = new WeakMap<Catalog, ReadonlySet<string>>();
  readonly #texts = new Recent<readonly StatementReading[]>(MAX_TEXTS, MAX_CHARACTERS);
  readonly #shapes = new Recent<StatementReading>(MAX_SHAPES, MAX_CHARACTERS);

  constructor(tables: Catalog | TableLookup) {
    this.#tables = tables;
  }

  /**
   * Every statement of an entry. Where one of the same shape was read before and `isEnough` says so, that one is given:
   * its tables, columns and joins are those of the entry, its text and key need not be.
   */
  read(entry: Logged, isEnough: (sameShape: ReadStatement) => boolean): readonly StatementReading[] {
    const key = placeOf(entry) + entry.sql;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const sameShape = this.#shapes.get(this.#shapeOf(entry.sql, entry));
    if (sameShape !== undefined && (sameShape.kind !== 'read' || isEnough(sameShape))) return [sameShape];
    const readings = this.#readAll(entry);
    this.#texts.set(key, readings);
    return readings;
  }

  /** What one of them says of the database holds for those behind it. */
  #readAll(entry: Logged): readonly StatementReading[] {
    let context = entry;
    return splitStatements(entry.sql, this.#tables.dialect).map((sql) => {
      const schema = readUse(sql);
      if (schema !== undefined) context = { ...context, schema };
      return this.#readOne(sql, context);
    });
  }

  #readOne(sql: string, entry: Logged): StatementReading {
    const reading = readStatement(sql, {
      catalog: this.#tables,
      context: entry,
      ...(entry.inputs === undefined ? {} : { inputs: entry.inputs }),
      isPersonal: (catalog) => (id) => this.#personal(catalog).has(id),
    });
    if (reading.kind !== 'not-sql' && !isOfEngine(reading))
      this.#shapes.set(this.#shapeOf(sql, entry), reading);
    return reading;
  }

  #personal(catalog: Catalog): ReadonlySet<string> {
    const known = this.#personalOf.get(catalog);
    if (known !== undefined) return known;
    const columns = catalog.tables.flatMap((table) => table.columns);
    const personal = new Set(columns.filter(isPersonalColumn).map(({ id }) => id));
    this.#personalOf.set(catalog, personal);
    return personal;
  }

  #shapeOf(sql: string, entry: Logged): string {
    return placeOf(entry) + shapeText(sql, this.#tables.dialect);
  }
}

/** Of SQL that cannot be parsed nothing is known but what the engine says. */
function isOfEngine(reading: StatementReading): boolean {
  return reading.kind === 'read' && reading.sql === '';
}

/** What a statement means depends on where its names are looked up, and on what the engine says. */
function placeOf({ database, schema, inputs = [] }: Logged): string {
  if (database === undefined && schema === undefined && inputs.length === 0) return '';
  return JSON.stringify([database, schema, inputs]);
}

// A quick way to see that two statements differ in their constants only, without parsing them.

const SIGN = '?';

/**
 * The tokens of a text with one sign for every constant. Texts that have the same shape text have the same shape; the
 * other way round it need not be so. Numbers behind BY stay: they may be places of columns.
 */
function shapeText(text: string, dialect: DialectName): string {
  let shape = '';
  let isBehindBy = false;
  let listAt = 0;
  let before: Token | undefined;
  for (const token of lexSql(text, dialect)) {
    if (token.kind === 'space' || token.kind === 'comment') continue;
    if (token.kind === 'word' && token.text.length === 2 && token.text.toUpperCase() === 'BY')
      isBehindBy = true;
    const isConstant =
      token.kind === 'text' ||
      (token.kind === 'number' && !isBehindBy) ||
      (token.kind === 'parameter' && !token.text.startsWith('@'));
    // `IN (1, 2, 3)` is `IN (1)`; every other list keeps its length.
    if (isConstant && listAt === 2) shape = shape.slice(0, -2);
    else shape += isConstant ? `${SIGN} ` : `${token.text} `;
    listAt = nextInList(listAt, token, before, isConstant);
    before = token;
  }
  return shape;
}

/** 0 outside, 1 behind `IN (` or a constant of it, 2 behind the comma after a constant. */
function nextInList(at: number, token: Token, before: Token | undefined, isConstant: boolean): number {
  if (token.text === '(' && before?.text.toUpperCase() === 'IN') return 1;
  if (isConstant) return at === 0 ? 0 : 1;
  return at === 1 && token.text === ',' && before?.text !== '(' ? 2 : 0;
}
