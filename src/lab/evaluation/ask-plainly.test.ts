import { afterAll, beforeAll, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import { askPlainly } from './ask-plainly.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
});
afterAll(() => small.close());

async function askWith(reply: string, isPrivate = false) {
  const model = scriptedModel(() => reply);
  const answers = { ...model, ...(isPrivate && { isPrivate: true as const }) };
  const session = changedSession(small.session, { models: async () => ({ answers }) });
  return { answer: await askPlainly('How many singers?', session), prompts: model.requests.map(textOf) };
}

it('pastes schema, semantic model and question into one prompt, and runs what comes', async () => {
  const { answer, prompts } = await askWith('{"outcome": "answered", "sql": "SELECT COUNT(*) FROM singers"}');
  expect(prompts).toHaveLength(1);
  for (const said of ['CREATE TABLE singers', 'ticket income', 'How many singers?'])
    expect(prompts[0]).toContain(said);
  expect(answer).toMatchObject({ kind: 'answered', rows: [[6]], model: { calls: 1 } });
});

it.each([
  ['{"outcome": "reject", "text": "no boats"}', 'reject'],
  ['{"outcome": "clarify", "text": "Which?"}', 'clarify'],
  ['{"outcome": "answered", "sql": "DROP TABLE singers"}', 'abstain'],
  ['{"outcome": "answered", "sql": "SELECT nothing FROM nowhere"}', 'abstain'],
  ['no idea', 'abstain'],
])('takes the reply as it is: %s', async (reply, kind) => {
  expect((await askWith(reply)).answer.kind).toBe(kind);
});

it('asks nothing in private mode: its prompt holds stored values', async () => {
  await expect(askWith('{}', true)).rejects.toMatchObject({ code: 'test.invalid-options' });
});
