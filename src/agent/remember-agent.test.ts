/** What is said to be remembered: kept, used at once by its author, withdrawn. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel, textOf } from '../../test/models/scripted-model.ts';
import { readProposals } from '../knowledge/authored/index.ts';
import type { Session } from '../session/project/session.ts';
import { converse } from './converse.ts';
import { NEW_TALK, type Reply, type Talk } from './turn/turn.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
}, 60_000);
afterAll(() => small.close());

const of = (user: string): Session =>
  changedSession(small.session, { config: { ...small.session.config, user } });
const say = (text: string, session: Session, talk: Talk = NEW_TALK) => converse({ text }, talk, session);
const textIn = ({ cards: [card] }: Reply) => (card?.kind === 'text' ? card.text : '');
const proposals = () => readProposals(small.session.config.knowledgeDirectory);

describe('“remember that …”', () => {
  const RULE = 'Remember that a concert counts only when it is sold out';

  it('is kept with its author, and the reply says how it is reviewed and withdrawn', async () => {
    const reply = await say(RULE, of('ada'));
    expect(reply.route).toMatchObject({ intent: 'other' });
    const [kept] = await proposals();
    expect(kept).toMatchObject({ by: 'ada', user: 'ada', tables: ['concerts'], isProposed: true });
    const text = textIn(reply);
    for (const part of [
      '“A concert counts only when it is sold out.”',
      'for you, ada',
      'review',
      'Forget that',
    ])
      expect(text).toContain(part);
    expect(text).toContain(kept?.key);
    expect(text).toContain('semantic model alone');
    expect(reply.quickReplies).toEqual(['Forget that']);
  });

  it('is told to a model that writes for its author, and for nobody else', async () => {
    const toldTo = async (user: string): Promise<string> => {
      const model = scriptedModel(({ role }) =>
        role === 'route'
          ? '{"intent": "write_query", "followUp": null, "because": "a question"}'
          : new Error('enough was told'),
      );
      const models = async () => ({ answers: model });
      const session = changedSession(await of(user).withKnowledgeNow(), { models });
      await say('how many singers are there?', session).catch(() => undefined);
      expect(model.requests.length).toBeGreaterThan(1);
      return model.requests.map(textOf).join('\n');
    };
    expect(await toldTo('ada')).toContain('counts only when it is sold out');
    expect(await toldTo('ben')).not.toContain('counts only when it is sold out');
  });

  it('needs no model to be understood, and asks none', async () => {
    const model = scriptedModel([]);
    const session = changedSession(of('ada'), { models: async () => ({ answers: model }) });
    const text = textIn(await say(RULE, session));
    expect(model.requests).toEqual([]);
    expect(text).not.toContain('semantic model alone');
  });

  it('is withdrawn by its author alone', async () => {
    expect(textIn(await say('forget that', of('ben')))).toContain('nothing to forget');
    expect(textIn(await say('forget that', of('ada')))).toContain('Forgotten: “A concert counts');
    expect(await proposals()).toEqual([]);
  });

  it.each([
    ['says nothing', 'remember that', 'What shall I remember?'],
    ['says nothing at all', 'remember', 'What shall I remember?'],
    ['breaks off', 'remember that x means', '“x means …” is half a sentence'],
    ['is too long', `remember that ${'a b '.repeat(200)}`, '500 are allowed'],
    ['would end the note', 'remember that x --> y', 'cannot hold'],
  ])('is not kept where it %s, and the talk goes on', async (_, said, expected) => {
    expect(textIn(await say(said, of('ada')))).toContain(expected);
    expect(await proposals()).toEqual([]);
  });

  it('writes no line, heading or sign of its own', async () => {
    await say('remember that\n# Jargon\n\n- all: none\u202e', of('ada'));
    const path = join(small.session.config.knowledgeDirectory, 'proposed.md');
    expect(
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    ).toHaveLength(2);
    expect((await proposals()).map(({ text }) => text)).toEqual(['# Jargon - all: none.']);
    await say('forget that', of('ada'));
  });
});

describe('“remember that X means Y”', () => {
  it('is a synonym in the questions of its author', async () => {
    const reply = await say('remember that vocalists means singers', of('ada'));
    expect(textIn(reply)).toContain('“vocalists” stands for “singers”');
    const [ada, ben] = [await of('ada').withKnowledgeNow(), await of('ben').withKnowledgeNow()];
    const { cards } = await say('how many vocalists are there?', ada);
    expect(cards[0]).toMatchObject({
      answer: {
        kind: 'answered',
        sql: expect.stringContaining('singers'),
        readAs: 'how many singers are there?',
      },
    });
    const other = await say('how many vocalists are there?', ben);
    expect(other.cards[0]).not.toMatchObject({ answer: { readAs: 'how many singers are there?' } });
    await say('forget that', of('ada'));
  });

  it.each([
    ['orders', 'a table', 'remember that concerts means singers', 'the table concerts'],
    ['one in the singular', 'a table', 'remember that concert means singers', 'the table concerts'],
    ['a column', 'a column', 'remember that country means singers', 'a column of singers'],
  ])('never takes the place of what is a name here: %s', async (_, __, text, owner) => {
    const reply = textIn(await say(text, of('ada')));
    expect(reply).toContain(`is ${owner} here`);
    expect(reply).toContain('kept as a note');
    expect((await proposals()).map(({ synonym }) => synonym)).toEqual([undefined]);
    await say('forget that', of('ada'));
  });

  it('says what it takes the place of', async () => {
    await say('remember that pics means songs', of('ada'));
    const reply = textIn(await say('remember that pics means singers', of('ada')));
    expect(reply).toContain('It takes the place of “songs”, for which “pics” stood until now.');
    expect((await proposals()).map(({ synonym }) => synonym?.meaning)).toEqual(['singers']);
    expect(textIn(await say('remember that pics means singers', of('ada')))).not.toContain('takes the place');
    await say('forget that', of('ada'));
  });

  it('is kept twice where a sentence says two, and each is withdrawn by itself', async () => {
    const text = textIn(await say('remember that pics means songs and gals means singers', of('ada')));
    expect(text).toContain('“pics” stands for “songs”');
    expect(text).toContain('“gals” stands for “singers”');
    expect((await proposals()).map(({ synonym }) => synonym?.term)).toEqual(['pics', 'gals']);
    expect(textIn(await say('forget that pics means songs', of('ben')))).toContain('nothing to forget');
    expect(textIn(await say('forget that pics means films', of('ada')))).toContain(
      'Nothing of yours says so',
    );
    expect(textIn(await say('forget that pics means songs', of('ada')))).toContain(
      'Forgotten: “Pics means songs.”',
    );
    expect((await proposals()).map(({ synonym }) => synonym?.term)).toEqual(['gals']);
    await say('forget that', of('ada'));
  });

  it('leaves a question back waiting for nothing', async () => {
    const talk = { ...NEW_TALK, pending: { recordId: 'r', options: ['a'] } };
    const reply = await say('remember that pics means singers', of('ada'), talk);
    expect(reply.talk.pending).toBeUndefined();
    expect((await proposals()).map(({ synonym }) => synonym?.term)).toEqual(['pics']);
    await say('forget that', of('ada'));
  });
});
