/** A deprecated table is named in the answer that reads it, whoever wrote the query. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import type { Session } from '../../session/project/session.ts';
import { ask } from '../ask.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
});
afterAll(async () => small.close());

const QUESTION = 'How many singers are there?';
const SQL = 'SELECT COUNT(*) FROM singers';
const said = { by: 'ana', at: '2024-01-01', place: 'knowledge/status.yml:1' };
const OLD = { ...said, table: 'singers', status: 'deprecated', why: 'it stopped in May.' } as const;

const sessionWith = (status: Session['authored']['statuses'][number], more: Partial<Session> = {}): Session =>
  changedSession(small.session, { authored: { ...small.session.authored, statuses: [status] }, ...more });

const model = () => scriptedModel([JSON.stringify({ outcome: 'answered', title: 'all', sql: SQL })]);

describe.each<[string, () => Partial<Session>]>([
  ['the built-in engine', () => ({})],
  ['a verified pair', () => ({ examples: [{ question: QUESTION, sql: SQL, file: 'a.sql' }] })],
  [
    'a model',
    () => {
      const answers = model();
      return { models: async () => ({ answers }) };
    },
  ],
])('an answer of %s', (_, more) => {
  it('names the deprecated table it reads, and what replaces it', async () => {
    const answer = await ask(QUESTION, sessionWith({ ...OLD, replacedBy: 'concerts' }, more()));
    expect(answer).toMatchObject({
      kind: 'answered',
      assumptions: expect.arrayContaining([
        { kind: 'status', text: 'singers is deprecated, use concerts in its place: it stopped in May.' },
      ]),
    });
  });

  it.each([
    ['a certified one', { ...OLD, status: 'certified' } as const],
    ['one that it does not read', { ...OLD, table: 'stadiums' }],
  ])('says nothing of %s', async (_, status) => {
    const answer = await ask(QUESTION, sessionWith(status, more()));
    expect(answer.kind === 'answered' && answer.assumptions.map(({ kind }) => kind)).not.toContain('status');
  });
});

it('names no replacement that whoever asks may not see, nor a note on it, to anybody', async () => {
  const answers = model();
  const status = { ...OLD, replacedBy: 'payroll' };
  const hidden = sessionWith(status, { models: async () => ({ answers }) });
  const note = { id: 'n', kind: 'data', topic: [], areas: [], tables: ['payroll'], columns: [] } as const;
  const authored = { ...hidden.authored, notes: [{ ...note, text: 'payroll is secret', place: 'a.md:1' }] };
  const answer = await ask(QUESTION, changedSession(hidden, { authored }));
  expect(JSON.stringify(answer)).toContain('singers is deprecated: it stopped in May.');
  expect(JSON.stringify(answer) + answers.requests.map(textOf).join()).not.toContain('payroll');
});
