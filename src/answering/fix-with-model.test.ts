import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel, textOf } from '../../test/models/scripted-model.ts';
import { fixQuery } from './fix-query.ts';
import { mendByModel } from './fix-with-model.ts';

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

const COUNT = "SELECT count(*) FROM singers WHERE country = 'France'";

it('is asked for what only an engine has against a query, and told its error', async () => {
  const error = 'Resources exceeded during query execution: the count is too large';
  const { fixed, prompts } = await fix(COUNT, [reply(COUNT.replace('*', 'singer_id'))], error);
  expect(fixed).toMatchObject({
    ok: true,
    repaired: COUNT.replace('*', 'singer_id'),
    changes: [{ kind: 'mended' }],
  });
  const asked = prompts.find((text) => text.includes('the count is too large')) ?? '';
  expect(asked).toContain(COUNT);
});

it.each([
  ['reads what is denied', 'permission denied for table singers', COUNT.replace('*', 'singer_id')],
  ['does not pass the checks', 'division by zero', 'SELECT nothing FROM nowhere'],
  ['would write', 'division by zero', 'DELETE FROM singers'],
])('is not believed where its mend %s', async (_, error, mend) => {
  const { fixed } = await fix(COUNT, [reply(mend)], error);
  expect(fixed).toMatchObject({ ok: false, changes: [], left: [{ kind: 'engine' }] });
});

it('is not asked for another table in the place of a system catalog', async () => {
  const { fixed, prompts } = await fix('SELECT * FROM sqlite_master', [reply(COUNT)]);
  expect(fixed).toMatchObject({ ok: false, changes: [], left: [{ kind: 'system-table' }] });
  expect(prompts).toEqual([]);
});
