/** Where a question in the words of a semantic model is asked back instead of answered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCarShop } from '../../../../test/fixtures/synthesis/make-car-shop.ts';
import { ask } from '../../../answering/index.ts';
import { readConfig } from '../../../config/index.ts';
import { openSession } from '../../../session/project/open-session.ts';
import type { Session } from '../../../session/project/session.ts';

let folder: string;
let session: Session;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-metric-boundary-'));
  makeCarShop(folder);
  session = await openSession(await readConfig({ cwd: folder }));
});
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true });
});

const TYPES = ['dealer type', 'body type'];

it.each<[question: string, verdict: string, options?: readonly string[]]>([
  // half a name that several dimensions have
  ['deals by type', 'clarify term: type', TYPES],
  ['Revenue per type in 2023', 'clarify term: type', TYPES],
  ['which type had the most deals', 'clarify term: type', TYPES],
  ['deals by body type', 'answered'],
  // a word before it says more than the others share
  ['deals by blood type', 'reject'],
  // a ranking of things by no figure
  ['Which dealer was the best in 2023?', 'clarify intent: best'],
  ['Show me the top 3 dealers', 'clarify intent: top'],
  ['Who are the strongest cities this year?', 'clarify intent: strongest'],
  ['Which city was the most successful?', 'clarify intent: most successful'],
  ['Top 3 dealers by revenue in 2023', 'answered'],
  ['Which dealer had the most deals in 2023?', 'answered'],
])('%s: %s', async (question, verdict, options) => {
  const answer = await ask(question, session, { record: false, related: false });
  const said = answer.kind === 'clarify' ? `clarify ${answer.gap}: ${answer.phrase}` : answer.kind;
  expect(said).toBe(verdict);
  if (options === undefined || answer.kind !== 'clarify') return;
  expect(answer.options.map(({ label }) => label)).toEqual(options);
  for (const { question: chosen } of answer.options)
    expect(await ask(chosen, session, { record: false, related: false })).toMatchObject({ kind: 'answered' });
});
