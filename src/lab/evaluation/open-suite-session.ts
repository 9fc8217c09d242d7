/** Connects the evaluation to the product: one session per database, its derived files kept between runs. */
import { join } from 'node:path';
import { type AskOptions, ask, explainQuestion } from '../../answering/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import { type Config, type ModelSettings, projectConfig, readConfig } from '../../config/index.ts';
import { openSession, type Session } from '../../session/index.ts';
import { uncounted } from '../../tracing/index.ts';
import { resolvePlaces, type Suite, type SuitePlaces } from '../corpus/index.ts';
import { askPlainly } from './ask-plainly.ts';
import type { Arm } from './case-record.ts';
import type { AskCase, CaseQuestion, ReadCase } from './evaluate-case.ts';

export interface SuiteSessionOptions extends SuitePlaces, Pick<AskOptions, 'mode'> {
  /** Who answers in place of the built-in engine, whatever the suite's project says. */
  readonly model?: ModelSettings;
  /** `plain`: the model alone, with everything pasted into one prompt. */
  readonly arm?: Arm;
  /** Below this probability the product abstains; absent: what the configuration says. */
  readonly minProbability?: number;
  /** Called with the database's name when its session is opened, which may mean onboarding. */
  readonly onOpen?: (database: string) => void;
}

export interface SuiteSession {
  readonly ask: AskCase;
  /** As `candor explain` shows them: also those of questions that are refused. */
  readonly read: ReadCase;
  /** Of the database that a question is asked of. */
  readonly catalogOf: (question: CaseQuestion) => Promise<Catalog>;
  /** The session that a question is asked in; closed by `close`, and when a question on another database comes. */
  readonly open: (question: CaseQuestion) => Promise<Session>;
  close(): Promise<void>;
}

/**
 * An asker for `runSuite`; it opens a database when the first question comes and closes it before the next one, so only questions on
 * one database may be asked at the same time.
 */
export function openSuiteSession(
  suite: Pick<Suite, 'project'>,
  options: SuiteSessionOptions = {},
): SuiteSession {
  let current: { readonly url: string; readonly session: Promise<Session> } | undefined;
  const close = async (): Promise<void> => {
    const { session } = current ?? {};
    current = undefined;
    const opened = await session?.catch(() => undefined);
    if (opened !== undefined) await opened.close();
  };
  const openOn = async (question: CaseQuestion, before: Promise<void>): Promise<Session> => {
    await before;
    options.onOpen?.(question.database);
    const { project } = suite;
    const { database, databaseUrl: url } = question;
    const config = await suiteConfig({ project, database, url }, options);
    return uncounted(() => openSession(config));
  };
  // Questions side by side wait for one opening, so none of them may cancel it.
  const sessionOf = (question: CaseQuestion): Promise<Session> => {
    if (current?.url !== question.databaseUrl) {
      const session = openOn(question, close());
      const mine = { url: question.databaseUrl, session };
      current = mine;
      // What fails to open is tried again by the next question.
      session.catch(() => {
        if (current === mine) current = undefined;
      });
    }
    return current.session;
  };
  return {
    close,
    open: sessionOf,
    catalogOf: async (question) => (await sessionOf(question)).catalog,
    ask: async (question, signal) => {
      const session = await sessionOf(question);
      const { hint, previous } = question;
      const { arm, mode } = options;
      const asking = {
        ...{ now: noonOf(question), signal },
        ...(hint === undefined ? {} : { hint }),
        ...(previous === undefined ? {} : { previous }),
      };
      if (arm === 'plain') return askPlainly(question.question, session, asking);
      return ask(question.question, session, {
        ...{ ...asking, record: false, related: false },
        ...(mode === undefined ? {} : { mode }),
      });
    },
    read: async (question) => {
      const session = await sessionOf(question);
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

export interface ConfiguredDatabase {
  readonly database: string;
  readonly url: string;
  readonly project?: string;
  /** Absent: a folder of the cache. */
  readonly derivedDirectory?: string;
}

/** The project's own configuration where there is one, but never its derived files. */
export async function suiteConfig(
  { project, database, url, ...given }: ConfiguredDatabase,
  options: SuitePlaces & Pick<SuiteSessionOptions, 'minProbability' | 'model'>,
): Promise<Config> {
  const { derivedDirectory = join(resolvePlaces(options).cacheDirectory, 'derived', database) } = given;
  const config =
    project === undefined
      ? projectConfig(derivedDirectory, url)
      : await readConfig({ cwd: project, project, database: url });
  const { minProbability = config.minProbability, model } = options;
  return { ...config, derivedDirectory, minProbability, model };
}
