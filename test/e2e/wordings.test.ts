/** However a question is worded, it is answered as the plain words of the semantic model are. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Answer } from '../../src/answer.ts';
import { ask } from '../../src/answering/index.ts';
import { compareWithGold, type OpenSuite, openSuite } from './open-suite.ts';

const WORDING = z.strictObject({
  ask: z.string(),
  means: z.string().optional(),
  sql: z.string().optional(),
  ordered: z.boolean().optional(),
  kind: z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']).optional(),
  reason: z.string().optional(),
  known: z.string().optional(),
});

const folder = mkdtempSync(join(tmpdir(), 'candor-wordings-'));
let suite: OpenSuite | null = null;
beforeAll(async () => {
  suite = await openSuite('motors', folder);
});
afterAll(async () => {
  if (suite !== null) await suite.session.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = new URL('../fixtures/wordings/motors.yml', import.meta.url);
const WORDINGS = z.array(WORDING).parse(parse(readFileSync(file, 'utf8')));

describe('wordings over Motors', () => {
  for (const wording of WORDINGS) {
    const test = wording.known === undefined ? it : it.fails;
    test(`${wording.ask}${wording.known === undefined ? '' : ` [known: ${wording.known}]`}`, () =>
      check(wording));
  }
});

async function check({ ask: text, means, sql, kind = 'answered', reason, ordered = false }: Wording) {
  if (suite === null) throw new Error('Motors needs no data and is made when it is missing');
  const { session, now } = suite;
  const put = (question: string): Promise<Answer> =>
    ask(question, session, { now, record: false, related: false });
  const answer = await put(text);
  const said = JSON.stringify(answer).slice(0, 800);
  expect(answer.kind, said).toBe(kind);
  if (answer.kind === 'reject' && reason !== undefined) expect(answer.reason, said).toBe(reason);
  if (answer.kind !== 'answered') return;
  if (sql !== undefined) expect(await compareWithGold(sql, answer, ordered, session), said).toBe('equal');
  if (means === undefined) return;
  const plain = await put(means);
  expect(plain.kind, means).toBe('answered');
  const gold = plain.kind === 'answered' ? plain.sql : '';
  expect(await compareWithGold(gold, answer, ordered, session), `${said}\n${gold}`).toBe('equal');
}

type Wording = z.infer<typeof WORDING>;
