import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { type Script, scriptedModel, textOf } from '../../test/models/scripted-model.ts';
import type { Answer } from '../answer.ts';
import { ask, replay } from '../answering/index.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
}, 60_000);
afterAll(() => small.close());

const sqlOf = (answer: Answer): string => (answer.kind === 'answered' ? answer.sql : answer.kind);

describe('a question over chosen tables', () => {
  it('is read over them alone', async () => {
    const question = 'how many names are there?';
    const over = async (table: string) => sqlOf(await ask(question, small.session, { tables: [table] }));
    expect(await over('singers')).toContain('FROM singers');
    expect(await over('stadiums')).toContain('FROM stadiums');
  });

  it('knows nothing that stands in others', async () => {
    const whole = await ask('singers from Sweden', small.session);
    expect(whole.kind).toBe('answered');
    const without = await ask('singers from Sweden', small.session, { tables: ['concerts', 'stadiums'] });
    expect(without.kind === 'answered' ? without.sql : '').not.toContain('singers');
  });

  it('is recorded with them, and replayed over them', async () => {
    const { recordId } = await ask('how many names are there?', small.session, { tables: ['stadiums'] });
    expect(await replay(recordId, small.session)).toMatchObject({ same: true, differences: [] });
  });

  it('does not take a table that is not there', async () => {
    await expect(ask('how many?', small.session, { tables: ['singer'] })).rejects.toMatchObject({
      code: 'catalog.unknown-name',
      message: expect.stringContaining('singers'),
    });
  });

  it('is all that a language model sees', async () => {
    const script: Script = ({ role }) =>
      role === 'write' ? JSON.stringify({ query: 'SELECT name FROM stadiums', explanation: 'x' }) : '{}';
    const model = scriptedModel(script);
    const session = changedSession(small.session, { models: async () => ({ answers: model }) });
    await ask('names of all stadiums', session, { tables: ['stadiums'] });
    const written = model.requests.filter(({ role }) => role === 'write').map(textOf);
    expect(written.length).toBeGreaterThan(0);
    for (const text of written) {
      expect(text).toContain('capacity');
      expect(text).not.toContain('salary');
    }
  });

  it('is made ready once', () => {
    const [one, other] = [
      ['songs', 'singers'],
      ['singers', 'songs', 'songs'],
    ].map((tables) => small.session.restrictTo(tables));
    expect(one).toBe(other);
  });
});
