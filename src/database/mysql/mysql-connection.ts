/** The driver's connection with promises, and rows that are handed on as they come. */
import { Socket } from 'node:net';
import type { Connection, FieldPacket, PrepareStatementInfo } from 'mysql2';
import { CandorError } from '../../errors.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import { significantTokens } from '../../sql/dialects/index.ts';
import { lexSql } from '../../sql/index.ts';
import { toDecimalCell } from '../rows/number-cell.ts';

/** The answer of ANALYZE TABLE, CHECK TABLE, REPAIR TABLE, CACHE INDEX: the first two pass a read-only transaction. */
const MAINTENANCE_COLUMNS = 'Table,Op,Msg_type,Msg_text';

/** Runs one of our own texts over the catalogs, row by row. */
export type ReadCatalogRows = (sql: string, onRow: (row: readonly Cell[]) => void) => Promise<void>;

/** What the driver's packets say of the end of a result. */
interface Packet {
  isEOF(): boolean;
  eofWarningCount(): number;
}

export interface ReadStatement {
  readonly sql: string;
  /** Called before the first row. */
  onColumns?(names: readonly string[]): void;
  /** Returns false when no more rows are welcome. */
  onRow(row: readonly Cell[]): boolean;
}

export class MysqlConnection {
  readonly #connection: Connection;
  /** Of the result that ended last. */
  #warnings = 0;
  /** Set while something waits for the server. */
  #fail: ((error: unknown) => void) | null = null;
  #isOpen = true;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#countWarnings();
    // What ends the connection is reported here when the command itself has no listener for it.
    connection.on('error', (error: unknown) => {
      this.#isOpen = false;
      this.#fail?.(error);
    });
    connection.on('end', () => {
      this.#isOpen = false;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  connect(): Promise<void> {
    return this.#waiting((resolve, reject) =>
      this.#connection.connect((error) =>
        error === null || error === undefined ? resolve() : reject(error),
      ),
    );
  }

  /** For texts of ours only: the text protocol. */
  run(sql: string): Promise<void> {
    return this.#waiting((resolve, reject) =>
      this.#connection.query(sql, (error: unknown) => (error === null ? resolve() : reject(error))),
    );
  }

  /** Rolls back, and forgets locks, variables, temporary tables, prepared statements and settings. */
  reset(): Promise<void> {
    return this.#waiting((resolve, reject) =>
      this.#connection.reset((error) => (error === null ? resolve() : reject(error))),
    );
  }

  /**
   * Has the server read the text as one prepared statement. Throws `database.not-read-only` before it is executed
   * when it would return no rows: COMMIT, SET, CALL, LOCK TABLES, SELECT … INTO OUTFILE.
   */
  async prepare(sql: string): Promise<PrepareStatementInfo> {
    if (significantTokens(lexSql(sql, 'mysql')).every(({ text }) => text === ';')) {
      throw new CandorError('database.query-failed', 'the SQL text holds no statement');
    }
    const statement = await this.#waiting<PrepareStatementInfo>((resolve, reject) =>
      this.#connection.prepare(sql, (error, prepared) =>
        error === null ? resolve(prepared) : reject(error),
      ),
    );
    const parameters: unknown = Reflect.get(statement, 'parameters');
    if (Array.isArray(parameters) && parameters.length > 0) {
      throw new CandorError('database.query-failed', 'the SQL text has a placeholder without a value');
    }
    const columns: unknown = Reflect.get(statement, 'columns');
    const names = Array.isArray(columns) ? columns.map((column: { name?: unknown }) => column.name) : [];
    if (names.length === 0) {
      throw new CandorError(
        'database.not-read-only',
        'the statement returns no rows, so it is not a reading one',
      );
    }
    if (names.join() === MAINTENANCE_COLUMNS) {
      throw new CandorError(
        'database.not-read-only',
        'a statement that maintains tables is not a reading one',
      );
    }
    return statement;
  }

  /** Prepares and runs the text; returns how many warnings the server has of it. Where more rows come after the last welcome one, the connection is cut. */
  async read({ sql, onColumns, onRow }: ReadStatement): Promise<number> {
    const statement = await this.prepare(sql);
    this.#warnings = 0;
    await this.#waiting<void>((resolve, reject) => {
      let readers: readonly ((value: unknown) => Cell)[] = [];
      let isFull = false;
      const command = statement.execute([]);
      command.on('error', reject);
      command.on('end', () => resolve());
      command.on('fields', (fields: unknown) => {
        const list = Array.isArray(fields) ? fields : [];
        readers = list.map((field) => mysqlCellReader(field));
        onColumns?.(list.map(({ name }) => String(name)));
      });
      command.on('result', (row: unknown) => {
        // Without columns it is the server's word that it is done.
        if (!Array.isArray(row)) return;
        if (isFull) {
          resolve();
          this.destroy();
          return;
        }
        // One row too many is expected where the server itself was told the limit.
        isFull = !onRow(readers.map((read, index) => read(row[index])));
      });
    });
    return this.#warnings;
  }

  /** Numbers of the warnings, without the notes, of the statement that ran last: the server keeps the first of them. */
  readWarnings(): Promise<readonly number[]> {
    return this.#waiting((resolve, reject) =>
      this.#connection.query('SHOW WARNINGS', (error: unknown, rows: unknown) => {
        if (error !== null) return reject(error);
        const list: readonly unknown[] = Array.isArray(rows) ? rows : [];
        const warnings = list.filter((row) => Array.isArray(row) && row[0] !== 'Note');
        return resolve(warnings.map((row) => (Array.isArray(row) ? Number(row[1]) : 0)));
      }),
    );
  }

  /** The driver throws away how many warnings there are; to ask the server would be one more way to it and back. */
  #countWarnings(): void {
    const handle: unknown = Reflect.get(this.#connection, 'handlePacket');
    if (typeof handle !== 'function') throw new CandorError('internal.bug', 'the driver has no handlePacket');
    Reflect.set(this.#connection, 'handlePacket', (packet: Packet | undefined): void => {
      if (packet?.isEOF()) this.#warnings = packet.eofWarningCount();
      Reflect.apply(handle, this.#connection, [packet]);
    });
  }

  hold(isHeld: boolean): void {
    const stream: unknown = Reflect.get(this.#connection, 'stream');
    if (!(stream instanceof Socket)) return;
    if (isHeld) stream.ref();
    else stream.unref();
  }

  async end(): Promise<void> {
    this.#isOpen = false;
    this.hold(true);
    // The server may be gone already.
    await this.#waiting<void>((resolve) => this.#connection.end(() => resolve())).catch(() => undefined);
  }

  destroy(): void {
    this.#isOpen = false;
    this.#connection.destroy();
    const stream: unknown = Reflect.get(this.#connection, 'stream');
    if (stream instanceof Socket) stream.destroy();
    this.#fail?.(new CandorError('database.connection-lost', 'the connection was cut'));
  }

  #waiting<T>(start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const done = (): void => {
        this.#fail = null;
      };
      this.#fail = (error) => {
        done();
        reject(error);
      };
      start(
        (value) => {
          done();
          resolve(value);
        },
        (error) => {
          done();
          reject(error);
        },
      );
    });
  }
}

// From the driver's values, read in the binary protocol, to cells.

/** Type numbers of the protocol. */
const TYPE = {
  decimal: 0,
  float: 4,
  timestamp: 7,
  longlong: 8,
  datetime: 12,
  bit: 16,
  newDecimal: 246,
} as const;

const READERS: ReadonlyMap<number, (value: unknown) => Cell> = new Map([
  [TYPE.decimal, toDecimal],
  [TYPE.newDecimal, toDecimal],
  [TYPE.float, toFloat],
  [TYPE.longlong, toWhole],
  [TYPE.bit, toBits],
  [TYPE.timestamp, toTime],
  [TYPE.datetime, toTime],
]);

/** The reader of a column. `TINYINT(1)` stays a number, as its comparisons are; JSON, sets and times are text. */
function mysqlCellReader(field: Pick<FieldPacket, 'columnType'>): (value: unknown) => Cell {
  const read = READERS.get(field.columnType ?? -1) ?? toCell;
  return (value) => (value === null || value === undefined ? null : read(value));
}

function toCell(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Uint8Array) return new Uint8Array(value);
  // Places and vectors come as objects.
  return JSON.stringify(value);
}

/** A number, or text where a number would lose digits. */
function toWhole(value: unknown): Cell {
  return typeof value === 'string' ? BigInt(value) : toCell(value);
}

function toDecimal(value: unknown): Cell {
  return typeof value === 'string' ? toDecimalCell(value) : toCell(value);
}

/** The shortest decimal number that is the same 32-bit float: 0.1, not 0.10000000149011612. */
function toFloat(value: unknown): Cell {
  if (typeof value !== 'number') return toCell(value);
  for (const digits of [6, 7, 8]) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function toBits(value: unknown): Cell {
  if (!(value instanceof Uint8Array)) return toCell(value);
  const whole = BigInt(`0x${Buffer.from(value).toString('hex') || '0'}`);
  return whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : whole;
}

/** Without the zeros that fill up the fraction. */
function toTime(value: unknown): Cell {
  return typeof value === 'string'
    ? value.replace(/\.(\d*?)0*$/, (_, digits: string) => digits && `.${digits}`)
    : toCell(value);
}
