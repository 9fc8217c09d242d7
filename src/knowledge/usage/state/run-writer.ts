/** Writes runs of statements into the usage file; all within the transaction of the caller. */
import { createHash } from 'node:crypto';
import { type StateFile, writeWhole } from '../../../store/index.ts';
import type { LogEntry } from '../logs/lines/log-entry.ts';
import { Recent } from '../statements/recent.ts';
import type { ReadStatement } from '../statements/table-reader.ts';

/** Constants of one shape beyond which they are parameters: what a program fills in, not what a person means. */
const MOST_VARIANTS = 20;
/** Names of unknown tables kept. */
const MOST_UNKNOWN = 10_000;
const CACHED = 50_000;
const CACHED_CHARACTERS = 4_000_000;

interface Shape {
  readonly id: number;
  /** The one statement it has become; absent while its constants are told apart. */
  onlyStatement: KnownStatement | undefined;
}

interface KnownStatement {
  readonly id: number;
  /** Day of its text. */
  day: string;
}

/** Of a table that a log names itself. */
export interface TableRun {
  readonly user: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly runs: number;
}

/** What flush writes of a table. */
interface OpenRun {
  readonly statement: number;
  readonly user: number;
  readonly day: string;
  readonly runs: number;
}

export type DatedEntry = LogEntry & { readonly day: string };

/** What was looked up stays true only while the transactions succeed: after a failure, a new writer is needed. */
export class RunWriter {
  readonly #statement: ReturnType<typeof prepare>;
  readonly #users = new Recent<number>(CACHED, CACHED_CHARACTERS);
  readonly #shapes = new Recent<Shape>(CACHED, CACHED_CHARACTERS);
  readonly #statements = new Recent<KnownStatement>(CACHED, CACHED_CHARACTERS);
  /** Runs of this transaction, by statement, user and day. */
  readonly #open = new Map<string, number>();
  /** Of tables that a log names itself: the statement that reads one and nothing else. */
  readonly #tableStatements = new Map<ReadStatement, number>();
  #tableRuns: OpenRun[] = [];
  #unknownCount: number;

  constructor(file: StateFile) {
    this.#statement = prepare(file);
    this.#unknownCount = Number(this.#statement.countUnknown.get()?.n);
  }

  /** Whether the constants of a shape no longer matter and its text is new enough. */
  needsNoText({ shapeKey }: ReadStatement, day: string): boolean {
    const only = this.#shape(shapeKey)?.onlyStatement;
    return only !== undefined && only.day >= day;
  }

  /** False where a run with this id was written before. */
  isFirst(runId: string): boolean {
    const hash = createHash('sha256').update(runId).digest().readBigInt64LE() >> 1n;
    return Number(this.#statement.addSeen.run(hash).changes) > 0;
  }

  /** What a counter has grown by since it was last seen; undefined where a newer state is known. */
  growth(counter: string, value: number, day: string): number | undefined {
    const known = this.#statement.findCounter.get(counter);
    if (known !== undefined && String(known.day) > day) return undefined;
    this.#statement.setCounter.run(counter, value, day);
    const before = Number(known?.value ?? 0);
    // A smaller state was reset in between.
    return value >= before ? value - before : value;
  }

  addUnknown(name: string, runs: number): void {
    const { addUnknown, growUnknown } = this.#statement;
    if (Number(growUnknown.run(runs, name).changes) > 0 || this.#unknownCount >= MOST_UNKNOWN) return;
    addUnknown.run(name.slice(0, 500), runs);
    this.#unknownCount += 1;
  }

  addRuns(reading: ReadStatement, entry: DatedEntry, runs: number): void {
    const shape = this.#shape(reading.shapeKey) ?? this.#addShape(reading);
    const statement = shape.onlyStatement ?? this.#ensureStatement(shape, reading, entry);
    if (shape.onlyStatement !== undefined && entry.day > statement.day) {
      this.#statement.setText.run(
        reading.isExample ? reading.sql : '',
        entry.day,
        entry.name ?? null,
        statement.id,
      );
      statement.day = entry.day;
    }
    const place = `${statement.id} ${this.#userId(entry.user)} ${entry.day}`;
    this.#open.set(place, (this.#open.get(place) ?? 0) + runs);
  }

  /** The reading is the same object for the same table: millions of runs are told by their numbers alone. */
  addTableRuns(reading: ReadStatement, { user, day, runs }: TableRun): void {
    let statement = this.#tableStatements.get(reading);
    if (statement === undefined) {
      const shape = this.#shape(reading.shapeKey) ?? this.#addShape(reading);
      const entry = { user, day, runs, sql: '', isSuccess: true, line: 0 };
      statement = this.#ensureStatement(shape, reading, entry).id;
      this.#tableStatements.set(reading, statement);
    }
    this.#tableRuns.push({ statement, user: this.#userId(user), day, runs });
  }

  /** Writes what was added up since the last time; before the transaction ends. */
  flush(): void {
    // In the order of the file, neighbours are written together.
    for (const { statement, user, day, runs } of this.#tableRuns.sort(
      (a, b) => a.statement - b.statement || a.user - b.user,
    ))
      this.#statement.addRuns.run(statement, user, day, runs);
    this.#tableRuns = [];
    for (const [place, runs] of this.#open) {
      const [statement, user, day = ''] = place.split(' ');
      this.#statement.addRuns.run(Number(statement), Number(user), day, runs);
    }
    this.#open.clear();
  }

  #shape(key: string): Shape | undefined {
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const row = this.#statement.findShape.get(key);
    if (row === undefined) return undefined;
    const shape: Shape = { id: Number(row.id), onlyStatement: undefined };
    if (Number(row.is_parameterised) === 1) {
      const only = this.#statement.onlyStatement.get(shape.id);
      shape.onlyStatement = { id: Number(only?.id), day: String(only?.sql_day) };
    }
    this.#shapes.set(key, shape);
    return shape;
  }

  #addShape({ shapeKey, isExample, tables, columns, joins }: ReadStatement): Shape {
    const { addShape, addTable, addColumn, addJoin } = this.#statement;
    const id = Number(addShape.run(shapeKey, isExample ? 1 : 0).lastInsertRowid);
    for (const table of tables) addTable.run(id, table);
    for (const column of columns) addColumn.run(id, column);
    for (const { leftTable, rightTable, on } of joins)
      addJoin.run(id, leftTable, rightTable, JSON.stringify(on));
    const shape: Shape = { id, onlyStatement: undefined };
    this.#shapes.set(shapeKey, shape);
    return shape;
  }

  /** The statement of a shape; one too many, and all of the shape become one. */
  #ensureStatement(shape: Shape, reading: ReadStatement, entry: DatedEntry): KnownStatement {
    const known = this.#statements.get(reading.key) ?? this.#findStatement(reading.key);
    if (known !== undefined) {
      if (reading.isExample && entry.day > known.day) this.#renewText(known, reading, entry);
      return known;
    }
    const variants = Number(this.#statement.countVariants.get(shape.id)?.n);
    if (variants >= MOST_VARIANTS) return this.#parameterise(shape, reading, entry);
    return this.#addStatement(shape, reading, entry);
  }

  #findStatement(key: string): KnownStatement | undefined {
    const row = this.#statement.findStatement.get(key);
    if (row === undefined) return undefined;
    const statement = { id: Number(row.id), day: String(row.sql_day) };
    this.#statements.set(key, statement);
    return statement;
  }

  #addStatement(
    { id }: Shape,
    { key, sql, isExample }: ReadStatement,
    { day, name }: DatedEntry,
  ): KnownStatement {
    const added = this.#statement.addStatement.run(id, key, isExample ? sql : '', day, name ?? null);
    const statement = { id: Number(added.lastInsertRowid), day };
    this.#statements.set(key, statement);
    return statement;
  }

  #renewText(known: KnownStatement, { sql, isExample }: ReadStatement, { day, name }: DatedEntry): void {
    this.#statement.setText.run(isExample ? sql : '', day, name ?? null, known.id);
    known.day = day;
  }

  /** The runs of all its statements go to one, which has the newest text. */
  #parameterise(shape: Shape, reading: ReadStatement, entry: DatedEntry): KnownStatement {
    const { newestVariant, mergeRuns, dropRuns, dropStatements, setKey, setParameterised } = this.#statement;
    const newest = newestVariant.get(shape.id);
    const only: KnownStatement = { id: Number(newest?.id), day: String(newest?.sql_day) };
    if (entry.day >= only.day) this.#renewText(only, reading, entry);
    this.flush();
    mergeRuns.run(only.id, shape.id, only.id);
    dropRuns.run(shape.id, only.id);
    dropStatements.run(shape.id, only.id);
    setKey.run(reading.shapeKey, only.id);
    setParameterised.run(shape.id);
    shape.onlyStatement = only;
    return only;
  }

  #userId(name: string): number {
    const short = name.slice(0, 200);
    const known = this.#users.get(short);
    if (known !== undefined) return known;
    this.#statement.addUser.run(short);
    const id = Number(this.#statement.findUser.get(short)?.id);
    this.#users.set(short, id);
    return id;
  }
}

/** Every statement that is run for each entry or less often, prepared once. */
function prepare(file: StateFile) {
  const sql = (text: string) => file.prepare(text);
  return {
    findUser: sql('SELECT id FROM users WHERE name = ?'),
    addUser: sql('INSERT INTO users (name) VALUES (?) ON CONFLICT DO NOTHING'),
    findShape: sql('SELECT id, is_parameterised FROM shapes WHERE key = ?'),
    addShape: sql('INSERT INTO shapes (key, is_example) VALUES (?, ?)'),
    setParameterised: sql('UPDATE shapes SET is_parameterised = 1 WHERE id = ?'),
    addTable: sql('INSERT INTO shape_tables VALUES (?, ?)'),
    addColumn: sql('INSERT INTO shape_columns VALUES (?, ?)'),
    addJoin: sql('INSERT INTO shape_joins VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'),
    findStatement: sql('SELECT id, sql_day FROM statements WHERE key = ?'),
    onlyStatement: sql('SELECT id, sql_day FROM statements WHERE shape_id = ?'),
    newestVariant: sql(
      'SELECT id, sql_day FROM statements WHERE shape_id = ? ORDER BY sql_day DESC, key LIMIT 1',
    ),
    countVariants: sql('SELECT COUNT(*) AS n FROM statements WHERE shape_id = ?'),
    addStatement: sql('INSERT INTO statements (shape_id, key, sql, sql_day, name) VALUES (?, ?, ?, ?, ?)'),
    setText: sql('UPDATE statements SET sql = ?, sql_day = ?, name = ? WHERE id = ?'),
    setKey: sql('UPDATE statements SET key = ? WHERE id = ?'),
    addRuns: sql(
      'INSERT INTO runs VALUES (?, ?, ?, ?) ON CONFLICT (statement_id, user_id, day) DO UPDATE SET runs = runs + excluded.runs',
    ),
    mergeRuns: sql(
      `INSERT INTO runs SELECT ?, r.user_id, r.day, SUM(r.runs) FROM runs r JOIN statements s ON s.id = r.statement_id
       WHERE s.shape_id = ? AND s.id <> ? GROUP BY r.user_id, r.day
       ON CONFLICT (statement_id, user_id, day) DO UPDATE SET runs = runs + excluded.runs`,
    ),
    dropRuns: sql(
      'DELETE FROM runs WHERE statement_id IN (SELECT id FROM statements WHERE shape_id = ? AND id <> ?)',
    ),
    dropStatements: sql('DELETE FROM statements WHERE shape_id = ? AND id <> ?'),
    addSeen: sql('INSERT INTO seen_runs VALUES (?) ON CONFLICT DO NOTHING'),
    findCounter: sql('SELECT value, day FROM counters WHERE name = ?'),
    setCounter: sql(
      'INSERT INTO counters VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value, day = excluded.day',
    ),
    growUnknown: sql('UPDATE unknown_tables SET runs = runs + ? WHERE name = ?'),
    addUnknown: sql('INSERT INTO unknown_tables VALUES (?, ?) ON CONFLICT DO NOTHING'),
    countUnknown: sql('SELECT COUNT(*) AS n FROM unknown_tables'),
  };
}

// What could not be read of logs: set aside in the usage file, and written beside it for people.

/** Rows kept in all; the counts go on. */
const MOST_ROWS = 10_000;
const TEXT_KEPT = 200;

export class RejectedRows {
  readonly #insert: ReturnType<StateFile['prepare']>;
  readonly #keepsText: boolean;
  #count: number;

  constructor(file: StateFile, keepsText: boolean) {
    this.#insert = file.prepare('INSERT INTO rejected (place, reason, text) VALUES (?, ?, ?)');
    this.#keepsText = keepsText;
    this.#count = Number(file.prepare('SELECT COUNT(*) AS n FROM rejected').get()?.n);
  }

  add(place: string, reason: string, text: string): void {
    if (this.#count >= MOST_ROWS) return;
    this.#insert.run(
      place,
      reason,
      this.#keepsText ? text.slice(0, TEXT_KEPT).replaceAll('\0', '\uFFFD') : null,
    );
    this.#count += 1;
  }
}

/** Writes the rows as JSON lines, whole or not at all; returns how many there are. */
export async function writeRejected(file: StateFile, path: string): Promise<number> {
  const rows = file.prepare('SELECT place, reason, text FROM rejected ORDER BY id').all();
  const lines = rows.map(({ place, reason, text }) =>
    JSON.stringify(text === null ? { place, reason } : { place, reason, text }),
  );
  await writeWhole(path, lines.map((line) => `${line}\n`).join(''));
  return rows.length;
}
