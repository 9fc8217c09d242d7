/** Connects the evaluation to the product: one session per database, its derived files kept between runs. */
import { join } from 'node:path';
import { ask, explainQuestion } from '../../answering/index.ts';
import { type Config, projectConfig, readConfig } from '../../config/index.ts';
import { closeSession, openSession, type Session } from '../../session.ts';
import { resolvePlaces, type Suite, type SuitePlaces } from '../corpus/index.ts';
import type { AskCase, CaseQuestion, ReadCase } from './evaluate-case.ts';

export interface SuiteSessionOptions extends SuitePlaces {
  /** Below this probability the product abstains; absent: what the configuration says. */
  readonly minProbability?: number;
  /** Called with the database's name when its session is opened, which may mean onboarding. */
  readonly onOpen?: (database: string) => void;
}

export interface SuiteSession {
  readonly ask: AskCase;
  /** As `candor explain` shows them: also those of questions that are refused. */
  readonly read: ReadCase;
  close(): Promise<void>;
}

/** An asker for `runSuite`; it opens a database when the first question comes and closes it before the next one. */
export function openSuiteSession(suite: Suite, options: SuiteSessionOptions = {}): SuiteSession {
  let current: { readonly url: string; readonly session: Session } | undefined;
  const close = async (): Promise<void> => {
    const { session } = current ?? {};
    current = undefined;
    if (session !== undefined) await closeSession(session);
  };
  const sessionOf = async (question: CaseQuestion, signal: AbortSignal): Promise<Session> => {
    if (current?.url === question.databaseUrl) return current.session;
    await close();
    options.onOpen?.(question.database);
    const session = await openSession(await configOf(suite, question, options), { signal });
    current = { url: question.databaseUrl, session };
    return session;
  };
  return {
    close,
    ask: async (question, signal) => {
      const session = await sessionOf(question, signal);
      const { hint, previous } = question;
      return ask(question.question, session, {
        now: noonOf(question),
        signal,
        record: false,
        related: false,
        ...(hint === undefined ? {} : { hint }),
        ...(previous === undefined ? {} : { previous }),
      });
    },
    read: async (question, signal) => {
      const session = await sessionOf(question, signal);
      const { hint, now } = { hint: question.hint, now: noonOf(question) };
      const { readings } = explainQuestion(question.question, session, { now, hint });
      return readings.map(({ sql }) => sql);
    },
  };
}

/** Noon in UTC is the same day nearly everywhere. */
function noonOf({ now }: CaseQuestion): Date {
  return new Date(`${now}T12:00:00Z`);
}

/** The project's own configuration where the suite has one; derived files always lie in the cache. */
async function configOf(suite: Suite, question: CaseQuestion, options: SuiteSessionOptions): Promise<Config> {
  const derivedDirectory = join(resolvePlaces(options).cacheDirectory, 'derived', question.database);
  const { project } = suite;
  const config =
    project === undefined
      ? projectConfig(derivedDirectory, question.databaseUrl)
      : await readConfig({ cwd: project, project, database: question.databaseUrl });
  const { minProbability = config.minProbability } = options;
  return { ...config, derivedDirectory, minProbability };
}
