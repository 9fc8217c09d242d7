import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel, textOf } from '../../test/models/scripted-model.ts';
import { fixQuery, mendByModel } from './fix-query.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
});
afterAll(() => small.close());

const reply = (query: string) =>
  JSON.stringify({ query, explanation: '', assumptions: [], tables: [], columns: [] });

async function fix(sql: string, replies: readonly string[], engineError?: string) {
  const model = scriptedModel(({ role }) => {
    if (role === 'fix') return replies[Math.min(fixes++, replies.length - 1)];
    return role === 'research' ? { toolCalls: [] } : '{"isEnough": true, "advice": ""}';
  });
  let fixes = 0;
  const fixed = await fixQuery(sql, small.session, {
    question: 'How many singers come from France?',
    ...(engineError !== undefined && { engineError }),
    mend: (left) => mendByModel(left, { answers: model }, small.session),
  });
  return { fixed, prompts: model.requests.map(textOf) };
}

it('mends what rules cannot, and is told everything', async () => {
  const { fixed, prompts } = await fix(
    'SELECT birthplace FROM persons_of_song',
    [reply("SELECT count(*) FROM singers WHERE country = 'France'")],
    'no such thing as a birthplace',
  );
  expect(fixed).toMatchObject({
    ok: true,
    repaired: "SELECT count(*) FROM singers WHERE country = 'France'",
    changes: expect.arrayContaining([expect.objectContaining({ kind: 'mended' })]),
  });
  expect(prompts.join('\n')).toContain('birthplace');
});

it('is not believed where it makes nothing better', async () => {
  const { fixed } = await fix('SELECT birthplace FROM persons_of_song', [
    reply('SELECT nothing FROM nowhere'),
  ]);
  expect(fixed.ok).toBe(false);
});

it('writes nothing that would do more than read', async () => {
  const { fixed } = await fix('SELECT birthplace FROM persons_of_song', [reply('DROP TABLE singers')]);
  expect(fixed).toMatchObject({ ok: false });
  expect(fixed.repaired ?? '').not.toContain('DROP');
});
