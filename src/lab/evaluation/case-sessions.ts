/** The sessions that cases over several databases are asked in, all open side by side. */
import type { ModelSettings } from '../../config/index.ts';
import { connect, type Database } from '../../database/index.ts';
import type { CostCounter } from '../../model/index.ts';
import { openSession, type Session } from '../../session/index.ts';
import { type CaseDatabase, findCaseDatabase } from '../corpus/case-databases.ts';
import type { SuitePlaces } from '../corpus/index.ts';
import { suiteConfig } from './open-suite-session.ts';

export interface CaseSession {
  readonly session: Session;
  /** The same database without the guard, for the gold. */
  readonly database: Database;
  readonly now: Date;
}

export interface CaseSessionsOptions extends SuitePlaces {
  /** Of the cases: a database may lie beside it. */
  readonly file: string;
  /** Absent: the built-in engine. */
  readonly model?: ModelSettings;
  readonly signal?: AbortSignal;
}

/** Opens each database when the first case needs it, and all of them are closed together. */
export class CaseSessions {
  readonly #options: CaseSessionsOptions;
  readonly #opened = new Map<string, Promise<CaseSession>>();

  constructor(options: CaseSessionsOptions) {
    this.#options = options;
  }

  /** `find` where the name alone does not say it. Throws `eval.data-missing`, and as a session does that does not open. */
  open(
    name: string,
    find: () => Promise<CaseDatabase> = () => findCaseDatabase(name, this.#options),
  ): Promise<CaseSession> {
    const opened = this.#opened.get(name) ?? this.#open(find);
    this.#opened.set(name, opened);
    return opened;
  }

  async #open(find: () => Promise<CaseDatabase>): Promise<CaseSession> {
    const { name, now, ...found } = await find();
    const session = await openSession(await suiteConfig({ ...found, database: name }, this.#options));
    const database = await connect(found.url);
    return { session, database, now: new Date(`${now}T12:00:00Z`) };
  }

  async close(): Promise<void> {
    for (const opening of this.#opened.values()) {
      const opened = await opening.catch(() => undefined);
      await opened?.database.close();
      if (opened !== undefined) await opened.session.close();
    }
  }
}

/** The same session, with the calls of its models counted. */
export function countedSession(session: Session, counter: CostCounter): Session {
  return session.withModels(({ answers, reflects, budget }) => ({
    answers: counter.counted(answers),
    reflects: reflects && counter.counted(reflects),
    budget,
  }));
}
