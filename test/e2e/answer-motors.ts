import type { Answer } from '../../src/answer.ts';
import { ask } from '../../src/answering/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { inParallel } from '../../src/database/http/in-parallel.ts';
import { readSuite } from '../../src/lab/corpus/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import { SUITE_CACHE } from './open-suite.ts';

const NOW = new Date('2024-12-31T12:00:00Z');
/** A server is waited for more than it works. */
const QUESTIONS_AT_ONCE = 4;

/** Asks the 60 questions of Motors of the database at `url`, with the project in `folder`. */
export async function answerMotors(folder: string, url: string): Promise<Map<string, Answer>> {
  const { cases } = await readSuite('motors', { cacheDirectory: SUITE_CACHE });
  const session = await openSession(
    await readConfig({ cwd: folder, project: folder, database: url, env: {} }),
  );
  try {
    const answers = await inParallel(
      cases,
      QUESTIONS_AT_ONCE,
      async ({ question }) => [question, await ask(question, session, { now: NOW, record: false })] as const,
    );
    return new Map(answers);
  } finally {
    await session.close();
  }
}
