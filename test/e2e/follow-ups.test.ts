/** Conversations: a turn goes on from what was asked before it, and means what its case says. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Answer } from '../../src/answer.ts';
import { ask } from '../../src/answering/index.ts';
import { compareWithGold, type OpenSuite, openSuite } from './open-suite.ts';

const TURN = z.strictObject({
  ask: z.string(),
  /** A question that stands alone and has the same answer. */
  means: z.string().optional(),
  sql: z.string().optional(),
  ordered: z.boolean().optional(),
  /** The outcome; answered when absent. */
  kind: z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']).optional(),
  chart: z
    .strictObject({
      kind: z.string(),
      x: z.string(),
      y: z.array(z.string()),
      series: z.string().optional(),
    })
    .optional(),
  undrawn: z.string().optional(),
});
type Turn = z.infer<typeof TURN>;
const DIALOGUES = z.array(
  z.array(z.union([z.string().transform((text): Turn => ({ ask: text })), TURN])).min(1),
);

const folder = mkdtempSync(join(tmpdir(), 'candor-follow-ups-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['motors', 'chinook', 'sakila'] as const)('conversations over %s', (name) => {
  let suite: OpenSuite | null = null;
  beforeAll(async () => {
    suite = await openSuite(name, folder);
  });
  afterAll(async () => {
    if (suite !== null) await suite.session.close();
  });

  const file = new URL(`../fixtures/dialogues/${name}.yml`, import.meta.url);
  const dialogues = DIALOGUES.parse(parse(readFileSync(file, 'utf8'))).map((turns) => ({
    said: turns.map((turn) => turn.ask).join(' → '),
    turns,
  }));
  it.for(dialogues)('$said', async ({ turns }, { skip }) => {
    if (suite === null) return skip(`the data of ${name} is not here`);
    const after: string[] = [];
    for (const turn of turns) {
      await checkTurn(turn, after, suite);
      after.push(turn.ask);
    }
  });
});

async function checkTurn(turn: Turn, after: readonly string[], suite: OpenSuite): Promise<void> {
  const { session, now } = suite;
  const put = (text: string, before: readonly string[]): Promise<Answer> =>
    ask(text, session, { after: before, now, record: false, related: false });
  const answer = await put(turn.ask, after);
  const said = `${turn.ask}\n${JSON.stringify(answer).slice(0, 800)}`;
  expect(answer.kind, said).toBe(turn.kind ?? 'answered');
  if (answer.kind !== 'answered') return;
  const { sql, means, ordered = false } = turn;
  if (sql !== undefined) expect(await compareWithGold(sql, answer, ordered, session), said).toBe('equal');
  if (means !== undefined) {
    const alone = await put(means, []);
    expect(alone.kind, means).toBe('answered');
    const gold = alone.kind === 'answered' ? alone.sql : '';
    expect(await compareWithGold(gold, answer, ordered, session), `${said}\n${gold}`).toBe('equal');
  }
  if (turn.chart !== undefined) expect(answer.chart, said).toEqual(turn.chart);
  if (turn.undrawn !== undefined) expect(answer.undrawn, said).toBe(turn.undrawn);
}
