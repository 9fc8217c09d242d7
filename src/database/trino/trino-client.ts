/**
 * Trino's client protocol: a statement goes to `/v1/statement`, its pages come from the `nextUri` of each answer, DELETE
 * there stops it. https://trino.io/docs/current/develop/client-protocol.html
 *
 * What the server wants a client to remember (`X-Trino-Set-Session`, `-Set-Catalog`, `-Added-Prepare`, …) is not
 * remembered: no statement changes the next one.
 */
import { z } from 'zod';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { parseExactJson } from '../http/exact-json.ts';
import type { HttpAnswer, HttpSession } from '../http/http-session.ts';
import type { Started, TaskRunner } from '../http/task-runner.ts';
import { SESSION_SETTINGS } from '../session-settings/index.ts';
import type { TrinoTarget } from './trino-target.ts';

const COLUMN = z.object({ name: z.string(), type: z.string(), typeSignature: z.unknown() });
const PAGE = z.object({
  id: z.string(),
  nextUri: z.string().optional(),
  columns: z.array(COLUMN).nullish(),
  data: z.array(z.array(z.unknown())).nullish(),
  /** What the server warns of, each time all of it. */
  warnings: z.array(z.unknown()).nullish(),
  /** What the statement did, where it did more than read. */
  updateType: z.string().nullish(),
  error: z
    .object({
      message: z.string(),
      errorName: z.string(),
      errorType: z.string(),
      errorLocation: z.object({ lineNumber: z.number(), columnNumber: z.number() }).nullish(),
    })
    .nullish(),
});

type TrinoColumn = z.infer<typeof COLUMN>;
type Page = z.infer<typeof PAGE>;

/** Trino's names of errors that mean something else than that the statement is wrong. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  EXCEEDED_TIME_LIMIT: 'database.timeout',
  USER_CANCELED: 'database.cancelled',
  READ_ONLY_VIOLATION: 'database.not-read-only',
  PERMISSION_DENIED: 'database.access-denied',
  SERVER_STARTING_UP: 'database.unreachable',
  SERVER_SHUTTING_DOWN: 'database.unreachable',
  QUERY_QUEUE_FULL: 'database.overloaded',
  EXCEEDED_SCAN_LIMIT: 'database.too-expensive',
};
/** A transaction on the server; the statements in it tell when they have ended there. */
export interface TrinoTransaction {
  readonly id: string;
  readonly ending: Promise<void>[];
}

const PINNED_HEADERS = Object.fromEntries(
  SESSION_SETTINGS.trino.filter(({ hold }) => hold === 'pinned').map(({ name, value }) => [name, value]),
);
const NO_TRANSACTION = 'NONE';

export interface TrinoStatement {
  readonly sql: string;
  readonly transaction: TrinoTransaction;
  /** Also told to the server, as the longest it may run. */
  readonly timeoutMs: number;
  /** Told to the server, which stops a statement that reads more. */
  readonly scanBytes?: number | undefined;
  /** Told how many warnings the server has of the statement so far. */
  onWarnings?(count: number): void;
  /** Called with each page; `false` ends the statement. */
  onRows(columns: readonly TrinoColumn[], rows: readonly (readonly unknown[])[]): boolean;
}

interface RunningStatement extends Started {
  page: Page;
}

export class TrinoClient {
  readonly #target: TrinoTarget;
  readonly #session: HttpSession;
  readonly #runner: TaskRunner;

  constructor(target: TrinoTarget, session: HttpSession, runner: TaskRunner) {
    this.#target = target;
    this.#session = session;
    this.#runner = runner;
  }

  /**
   * Runs `work` between START TRANSACTION READ ONLY and ROLLBACK: in it the engine refuses every write to a catalog.
   * A COMMIT in between ends the transaction on the server, and the id with it: what follows fails.
   */
  async inReadOnlyTransaction<T>(
    signal: AbortSignal,
    timeoutMs: number,
    work: (transaction: TrinoTransaction) => Promise<T>,
  ): Promise<T> {
    const { headers } = await this.#submit(
      {
        ...{ sql: 'START TRANSACTION READ ONLY', transaction: { id: NO_TRANSACTION, ending: [] }, timeoutMs },
        onRows: () => true,
      },
      signal,
      'x-trino-started-transaction-id',
    );
    const id = headers['x-trino-started-transaction-id'];
    if (id === undefined) throw this.#session.badAnswer('the server began no transaction');
    const transaction: TrinoTransaction = { id, ending: [] };
    try {
      return await work(transaction);
    } finally {
      void this.#runner.afterwards(this.#rollBack(transaction));
    }
  }

  /** Throws `database.query-failed` with the engine's words, or what the table of names above says. */
  async run(statement: TrinoStatement, signal: AbortSignal): Promise<void> {
    await this.#submit(statement, signal);
  }

  /** Returns the answer that carried the header `wanted`, else the last one. */
  #submit(statement: TrinoStatement, signal: AbortSignal, wanted?: string): Promise<HttpAnswer> {
    return this.#runner.statement<RunningStatement, HttpAnswer>(signal, {
      start: async (startSignal) => {
        const answer = await this.#session.send({
          method: 'POST',
          url: `${this.#target.origin}/v1/statement`,
          headers: this.#headers(statement),
          body: statement.sql,
          signal: startSignal,
        });
        return { isDone: false, page: this.#readPage(answer) };
      },
      follow: async (running) => {
        let found: HttpAnswer = { status: 0, headers: {}, body: '' };
        while (this.#consume(running, statement)) {
          const answer = await this.#session.send({
            method: 'GET',
            url: running.page.nextUri ?? '',
            headers: this.#credentials(),
            signal,
          });
          running.page = this.#readPage(answer);
          if (wanted === undefined || answer.headers[wanted] !== undefined) found = answer;
        }
        return found;
      },
      onEnding: (ended) => statement.transaction.ending.push(ended),
      cancel: (running, cancelSignal) =>
        this.#session.send({
          method: 'DELETE',
          url: running.page.nextUri ?? '',
          headers: this.#credentials(),
          signal: cancelSignal,
        }),
    });
  }

  /** Whether there are more pages to fetch. */
  #consume(running: RunningStatement, statement: TrinoStatement): boolean {
    const { nextUri, columns, data, error, updateType, warnings } = running.page;
    if (warnings) statement.onWarnings?.(warnings.length);
    running.isDone = nextUri === undefined;
    if (error) {
      throw new CandorError(CODES[error.errorName] ?? 'database.query-failed', error.message, {
        data: {
          engineCode: error.errorName,
          ...(error.errorLocation
            ? { line: error.errorLocation.lineNumber, column: error.errorLocation.columnNumber }
            : {}),
        },
      });
    }
    const isOurs = updateType === 'START TRANSACTION' && statement.transaction.id === NO_TRANSACTION;
    if (updateType && !isOurs) {
      throw new CandorError('database.not-read-only', `${updateType} is not a reading statement`);
    }
    if (columns && !statement.onRows(columns, data ?? [])) return false;
    return !running.isDone;
  }

  async #rollBack(transaction: TrinoTransaction): Promise<void> {
    await Promise.all(transaction.ending);
    const signal = AbortSignal.timeout(5_000);
    let answer = await this.#session.send({
      method: 'POST',
      url: `${this.#target.origin}/v1/statement`,
      headers: this.#headers({ transaction, timeoutMs: 5_000 }),
      body: 'ROLLBACK',
      signal,
    });
    for (let page = this.#readPage(answer); page.nextUri !== undefined; page = this.#readPage(answer)) {
      answer = await this.#session.send({
        method: 'GET',
        url: page.nextUri,
        headers: this.#credentials(),
        signal,
      });
    }
  }

  #readPage(answer: HttpAnswer): Page {
    if (answer.status === 401 || answer.status === 403) {
      throw new CandorError('database.access-denied', `Trino refuses the login: ${answer.body.trim()}`);
    }
    if (answer.status >= 400 && answer.status < 500) {
      throw new CandorError('database.query-failed', answer.body.trim() || `HTTP ${answer.status}`);
    }
    if (answer.status !== 200) throw this.#session.badAnswer(`the server answered HTTP ${answer.status}`);
    let parsed: ReturnType<typeof PAGE.safeParse>;
    try {
      parsed = PAGE.safeParse(parseExactJson(answer.body));
    } catch {
      throw this.#session.badAnswer('an answer is not JSON');
    }
    if (!parsed.success) throw this.#session.badAnswer(`an answer is not of Trino: ${parsed.error.message}`);
    return parsed.data;
  }

  #credentials(): Record<string, string> {
    const { user, authorization } = this.#target;
    return {
      'x-trino-user': encodeHeader(user),
      ...(authorization === undefined ? {} : { authorization }),
    };
  }

  #headers({
    transaction,
    timeoutMs,
    scanBytes,
  }: Pick<TrinoStatement, 'transaction' | 'timeoutMs' | 'scanBytes'>) {
    const { catalog, schema, sessionProperties, roles, clientTags } = this.#target;
    const properties = new Map(sessionProperties);
    properties.set('query_max_run_time', `${Math.max(1, Math.ceil(timeoutMs))}ms`);
    if (scanBytes !== undefined) properties.set('query_max_scan_physical_bytes', `${scanBytes}B`);
    return {
      ...this.#credentials(),
      'content-type': 'text/plain; charset=utf-8',
      'x-trino-source': 'candor',
      'x-trino-client-tags': clientTags === undefined ? 'candor' : `candor,${encodeHeader(clientTags)}`,
      ...PINNED_HEADERS,
      'x-trino-session': [...properties]
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join(','),
      ...(catalog === undefined ? {} : { 'x-trino-catalog': encodeHeader(catalog) }),
      ...(schema === undefined ? {} : { 'x-trino-schema': encodeHeader(schema) }),
      ...(roles === undefined ? {} : { 'x-trino-role': encodeHeader(roles) }),
      'x-trino-transaction-id': transaction.id,
    };
  }
}

/** A header holds Latin-1 only; Node refuses what is beyond, and a line end would begin a header of its own. */
function encodeHeader(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}
