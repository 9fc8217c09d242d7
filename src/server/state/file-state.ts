import { CandorError } from '../../errors.ts';
import { openStateFile, type StateFile } from '../../store/index.ts';
import type { RunState, ServerState, StateRow, StateValue } from './server-state.ts';
import { FILE_MIGRATIONS } from './state-migrations.ts';

const NOTHING_MAKES_IT_AGAIN =
  'It holds people, conversations, feedback and the audit log: bring it back from a backup, or move it away to begin without them.';

/** The state of one server in one SQLite file; what was acknowledged survives a kill of the process. */
export class FileState implements ServerState {
  readonly #file: StateFile;
  /** One connection: a statement of somebody else may not fall into a transaction. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(file: StateFile) {
    this.#file = file;
  }

  /** Throws `store.unusable`. */
  static async open(path: string): Promise<FileState> {
    try {
      return new FileState(await openStateFile(path, { migrations: FILE_MIGRATIONS, isIrreplaceable: true }));
    } catch (error) {
      if (!(error instanceof CandorError) || error.code !== 'store.unusable') throw error;
      throw new CandorError(error.code, `${error.message} ${NOTHING_MAKES_IT_AGAIN}`, { cause: error.cause });
    }
  }

  readonly run: RunState = (sql, values) => this.#inTurn(async () => this.#runNow(sql, values));

  transaction<Result>(work: (run: RunState) => Promise<Result>): Promise<Result> {
    const run: RunState = async (sql, values) => this.#runNow(sql, values);
    return this.#inTurn(() => this.#file.longTransaction(() => work(run)));
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => this.#file.close());
  }

  #runNow(sql: string, values: readonly StateValue[] = []): readonly StateRow[] {
    return this.#file.statement(ofSqlite(sql)).all(...values);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** A file has one schema, and SQLite writes `?1` for `$1`. */
function ofSqlite(sql: string): string {
  return sql.replaceAll('candor.', '').replace(/\$(\d+)/g, '?$1');
}
