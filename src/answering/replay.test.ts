import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { CandorError } from '../errors.ts';
import { openSession } from '../session/project/open-session.ts';
import type { Session } from '../session/project/session.ts';
import { listRecords } from '../session/records/record.ts';
import { ask } from './ask.ts';
import { replay } from './replay.ts';

let small: SmallSession;
beforeEach(async () => {
  small = await openSmallSession();
});
afterEach(() => small.close());

/** The question's record id. */
async function asked(question: string, options: Parameters<typeof ask>[2] = {}): Promise<string> {
  return (await ask(question, small.session, options)).recordId;
}

async function changed(sql: string): Promise<Session> {
  const writer = new DatabaseSync(small.path);
  writer.exec(sql);
  writer.close();
  return openSession(small.session.config);
}

async function replayAfter(sql: string, id: string): Promise<Awaited<ReturnType<typeof replay>>> {
  const session = await changed(sql);
  try {
    return await replay(id, session);
  } finally {
    await session.close();
  }
}

describe('a question with a hint', () => {
  it('is asked again with it', async () => {
    const id = await asked('Which singers are well paid?', { hint: 'well paid refers to salary > 4500' });
    const { same, answer } = await replay(id, small.session);
    expect({ same, kind: answer.kind }).toEqual({ same: true, kind: 'answered' });
  });
});

describe('replay', () => {
  const questions: readonly string[] = [
    'How many singers are there?',
    'List the names of all singers.',
    'What is the ticket income by city in 2023?',
    'Which concerts took place recently?',
    'What was the ticket income in 2023?',
    'delete all singers',
    'How many zebras are in the aquarium?',
  ];
  it.each(questions)('of “%s” comes out the same', async (question) => {
    const id = await asked(question);
    const { same, differences, answer } = await replay(id, small.session);
    expect(differences).toEqual([]);
    expect(same).toBe(true);
    expect(answer.question).toBe(question);
  });

  it('writes no record of its own', async () => {
    const id = await asked('How many singers are there?');
    await replay(id, small.session);
    expect(await listRecords(small.session.config.derivedDirectory)).toHaveLength(1);
  });

  it('asks in the present of the record, not in ours', async () => {
    const id = await asked('How many concerts took place last year?', { now: new Date('2025-03-01') });
    const { same, answer } = await replay(id, small.session);
    expect(same).toBe(true);
    expect(answer.kind === 'answered' ? answer.rows : []).toEqual([[4]]);
  });

  it('does not run SQL that was not run then', async () => {
    const id = await asked('How many singers are there?', { execute: false });
    const { same, answer } = await replay(id, small.session);
    expect(same).toBe(true);
    expect(answer.kind === 'answered' ? answer.rows : undefined).toEqual([]);
  });

  it('tells that the data has changed', async () => {
    const id = await asked('How many singers are there?');
    const { same, differences } = await replayAfter('DELETE FROM singers WHERE singer_id = 5', id);
    expect(same).toBe(false);
    expect(differences).toEqual(['The result differs: the data has changed.']);
  });

  it('does not mind data that the question does not ask for', async () => {
    const id = await asked('How many singers are there?');
    expect((await replayAfter('DELETE FROM pets WHERE pet_id = 5', id)).same).toBe(true);
  });

  it('tells that the schema and the outcome have changed', async () => {
    const id = await asked('How many songs are there?');
    const { same, differences } = await replayAfter('DROP TABLE songs', id);
    expect(same).toBe(false);
    expect(differences[0]).toBe('The schema has changed since.');
    expect(differences[1]).toMatch(/^The outcome was answered and is \w+ now\.$/);
  });

  it('tells that the SQL differs', async () => {
    const id = await asked('How many singers are there?');
    const file = join(small.session.config.derivedDirectory, 'records', `${id}.json`);
    const record: unknown = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify(Object.assign({}, record, { sql: 'SELECT 1' })));
    expect((await replay(id, small.session)).differences).toEqual(['The SQL differs.']);
  });

  const refused: readonly (readonly [what: string, text: string | null, code: string])[] = [
    ['that is not there', null, 'record.not-found'],
    ['that is corrupt', '{"id":', 'record.invalid'],
    ['that is of another shape', '{}', 'record.invalid'],
  ];
  it.each(refused)('refuses a record %s', async (_what, text, code) => {
    const id = await asked('How many singers are there?');
    const file = join(small.session.config.derivedDirectory, 'records', `${id}.json`);
    if (text !== null) await writeFile(file, text);
    const run = replay(text === null ? '19990101' : id, small.session);
    await expect(run).rejects.toSatisfy((error) => error instanceof CandorError && error.code === code);
  });

  it('stops on a signal', async () => {
    const id = await asked('How many singers are there?');
    await expect(replay(id, small.session, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'database.cancelled',
    });
  });
});
