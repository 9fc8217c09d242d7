/** A model that refuses whatever it is asked: none of it stands where the question can be answered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../src/answering/index.ts';
import { readSuite } from '../../src/lab/corpus/index.ts';
import type { Session } from '../../src/session/project/session.ts';
import { changedSession } from '../changed-session.ts';
import { scriptedModel, textOf } from '../models/scripted-model.ts';
import { openSuite, SUITE_CACHE } from './open-suite.ts';

let folder: string;
let session: Session;
const answerable: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-refusals-'));
  const open = await openSuite('motors', folder);
  if (open === null) throw new Error('Motors is made here');
  ({ session } = open);
  const { cases } = await readSuite('motors', { cacheDirectory: SUITE_CACHE });
  answerable.push(
    ...cases.flatMap(({ question, expect: due }) => (due.kind === 'answered' ? [question] : [])),
  );
});
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

it('stands over none of the answerable questions of Motors', async () => {
  expect(answerable.length).toBeGreaterThanOrEqual(20);
  const stood: string[] = [];
  for (const question of answerable)
    for (const missing of [question.split(' ').slice(-3).join(' '), question, '']) {
      const refusal = { outcome: 'reject', reason: 'scope', missing, message: 'it is not here' };
      const model = scriptedModel(() => JSON.stringify(refusal));
      const over = changedSession(session, { models: async () => ({ answers: model }) });
      const { kind } = await ask(question, over, { record: false });
      if (kind === 'reject') stood.push(`${question} (${missing})`);
    }
  expect(stood).toEqual([]);
});

it('stands at once where the built-in engine refuses by itself for the same reason', async () => {
  const refusal = {
    outcome: 'reject',
    reason: 'dimension',
    missing: 'energy type',
    message: 'no such split',
  };
  const model = scriptedModel(() => JSON.stringify(refusal));
  const over = changedSession(session, { models: async () => ({ answers: model }) });
  const answer = await ask('leads by energy type in 2023', over, { record: false });
  expect(answer).toMatchObject({ kind: 'reject', reason: 'dimension', missing: 'energy type' });
  expect(model.requests).toHaveLength(1);
});

it('does not stand where what it misses is there and the engine misses something else', async () => {
  const refusal = { outcome: 'reject', reason: 'dimension', missing: 'leads', message: 'no leads' };
  const model = scriptedModel(() => JSON.stringify(refusal));
  const over = changedSession(session, { models: async () => ({ answers: model }) });
  const answer = await ask('leads by energy type in 2023', over, { record: false });
  expect(answer).toMatchObject({ kind: 'abstain' });
  expect(textOf(model.requests[1]!)).toContain('a search finds');
});
