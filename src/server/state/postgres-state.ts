import { inTransaction, openSharedState, type SharedState } from '../../store/index.ts';
import type { RunState, ServerState } from './server-state.ts';
import { POSTGRES_MIGRATIONS } from './state-migrations.ts';

/** The state in the schema `candor` of a PostgreSQL database, which several servers of one project may share. */
export class PostgresState implements ServerState {
  readonly shared: SharedState;

  private constructor(shared: SharedState) {
    this.shared = shared;
  }

  /** Throws as connecting to a database does, and `store.unusable`. */
  static async open(url: string): Promise<PostgresState> {
    return new PostgresState(await openSharedState(url, { part: 'server', migrations: POSTGRES_MIGRATIONS }));
  }

  readonly run: RunState = (sql, values) => this.shared.run(sql, values);

  transaction<Result>(work: (run: RunState) => Promise<Result>): Promise<Result> {
    return this.shared.session((run) => inTransaction(run, () => work(run)));
  }

  close(): Promise<void> {
    return this.shared.close();
  }
}
