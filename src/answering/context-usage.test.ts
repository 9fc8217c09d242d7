/** What query logs tell reaches the writer; a table that a question names is in view wherever it lies. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel, textOf } from '../../test/models/scripted-model.ts';
import { usagePath } from '../knowledge/base/load-facts.ts';
import { ingestLogs, openUsageFile } from '../knowledge/usage/index.ts';
import { ask } from './ask.ts';
import { linkingOf, linkQuestion } from './prompt/link-question.ts';
import { assembleContext } from './prompt/question-context.ts';

const LOGGED = [
  { sql: 'SELECT COUNT(*) FROM singers', user: 'ana', runs: 30 },
  { sql: 'SELECT COUNT(*) FROM singers', user: 'ben', runs: 1 },
  { sql: 'SELECT s.name FROM singers s JOIN stadiums a ON a.city = s.country', user: 'ana', runs: 7 },
];

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
  const { config, catalog } = small.session;
  const log = join(small.folder, 'log.jsonl');
  await writeFile(log, LOGGED.map((run) => `${JSON.stringify({ ...run, at: '2024-09-06' })}\n`).join(''));
  const file = await openUsageFile(usagePath(config));
  await ingestLogs(file, [log], { catalog });
  file.close();
});
afterAll(async () => small.close());

async function promptOf(isPrivate: boolean): Promise<string> {
  const model = scriptedModel([
    JSON.stringify({ outcome: 'answered', title: 'all', sql: 'SELECT COUNT(*) FROM singers' }),
  ]);
  const answers = isPrivate ? ({ ...model, sharing: 'private', isPrivate: true } as const) : model;
  await ask(
    'How many tall singers are there?',
    changedSession(small.session, { models: async () => ({ answers }) }),
  );
  return model.requests.map(textOf).join('\n');
}

describe('query logs', () => {
  it.each([false, true])('are told as counts, private: %s', async (isPrivate) => {
    const prompt = await promptOf(isPrivate);
    expect(prompt).toContain('in the logs 38 queries of 2 people');
    expect(prompt).toMatch(/joined with \w+\.\w+ in 7 queries of the logs/);
    expect(prompt).not.toMatch(/\bana\b|\bben\b/);
  });
});

describe('a table that the question names', () => {
  const contextWindow = 1_000;
  const contextOf = async (question: string, hidden: readonly string[] = []) => {
    const { session } = small;
    const { linked, retrieved, base } = await linkQuestion(question, await linkingOf(session));
    const only = (ids: readonly string[]) => session.catalog.tables.filter(({ id }) => ids.includes(id));
    const sight = session.catalog.tables.filter(({ id }) => !hidden.includes(id));
    const catalog = { ...session.catalog, tables: sight };
    const scope = { ...base.scope, tables: new Set(['singers']) };
    return assembleContext(changedSession(session, { catalog }), {
      ...{ question, retrieved, contextWindow, sharing: 'all' },
      linked: linked && { ...linked, catalog: { ...session.catalog, tables: only(['singers']) } },
      base: { ...base, scope },
    });
  };
  const OUTSIDE = 'outside the usual tables of whoever asks';

  it.each([
    ['How many stadiums are there?', true],
    ['How many singers are there?', false],
  ])('%s', async (question, isNamed) => {
    const context = await contextOf(question);
    expect(context.isWhole).toBe(false);
    const line =
      context
        .schema()
        .split('\n')
        .find((one) => one.startsWith('stadiums:')) ?? '';
    expect(line.includes(OUTSIDE)).toBe(isNamed);
    expect(context.schema()).not.toMatch(new RegExp(`singers:.*${OUTSIDE}`));
  });

  it('is not found where whoever asks may not see it', async () =>
    expect((await contextOf('How many stadiums are there?', ['stadiums'])).schema()).not.toContain(
      'stadiums:',
    ));
});
