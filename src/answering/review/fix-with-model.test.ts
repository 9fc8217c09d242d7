import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import { fixQuery } from './fix-query.ts';
import { mendByModel, NOTHING_SAID } from './fix-with-model.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
});
afterAll(() => small.close());

const reply = (query: string) =>
  JSON.stringify({ query, explanation: '', assumptions: [], tables: [], columns: [] });

async function fix(
  sql: string,
  replies: readonly string[],
  engineError?: string,
  question: string | undefined = 'How many singers come from France?',
) {
  const model = scriptedModel(({ role }) => {
    if (role === 'fix') return replies[Math.min(fixes++, replies.length - 1)];
    return role === 'research' ? { toolCalls: [] } : '{"isEnough": true, "advice": ""}';
  });
  let fixes = 0;
  const fixed = await fixQuery(sql, small.session, {
    question: question === '' ? undefined : question,
    ...(engineError !== undefined && { engineError }),
    mend: (left) => mendByModel(left, { answers: model }, small.session),
  });
  const prompts = model.requests.map(textOf);
  const toFix = model.requests.filter(({ role }) => role === 'fix').map(textOf);
  return { fixed, prompts, toFix };
}

const AMBIGUOUS =
  'SELECT name, nmae FROM singers JOIN stadiums ON singer_id = stadium_id ORDER BY age LIMIT 3';

it.each([
  ['what was said', 'Which singers and stadiums go together?', 'Which singers and stadiums go together?'],
  ['what was said, though it is no question', 'hello', 'hello'],
  ['that nothing was said beyond the query', '', NOTHING_SAID],
])('is told %s, and never the query as a question', async (_, question, told) => {
  const sql = 'SELECT birthplace FROM singers';
  const { toFix } = await fix(sql, [reply('SELECT country FROM singers')], undefined, question);
  const [, asked = ''] = /<<<DATA question[^\n]*\n([\s\S]*?)\nDATA>>>/.exec(toFix[0] ?? '') ?? [];
  expect(asked).toBe(told);
  expect(toFix[0]).toContain(`<<<DATA query\n${sql}\n`);
});

it('is told what rules would guess, which is not done before', async () => {
  const { fixed, toFix } = await fix(AMBIGUOUS.replace('nmae', 'country'), [
    reply(
      'SELECT singers.name, singers.country FROM singers JOIN stadiums ON singer_id = stadium_id ORDER BY age LIMIT 3',
    ),
  ]);
  expect(toFix[0]).toContain(
    '<<<DATA possibilities\n- name is that of singers\n- name is that of stadiums\n',
  );
  expect(toFix[0]).toContain(AMBIGUOUS.replace('nmae', 'country'));
  expect(fixed).toMatchObject({ ok: true, changes: [{ kind: 'mended' }] });
});

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
