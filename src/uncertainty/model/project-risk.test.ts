import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { bundleFiles } from '../../store/bundle/publish-bundle.ts';
import {
  type AnswerLabel,
  addLabels,
  BUILT_IN_WRITER,
  fitProjectRisk,
  LABELS_FILE,
  PROJECT_RISK_FILE,
  questionKey,
  readLabels,
  readProjectRisk,
  writeProjectRisk,
} from './project-risk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-labels-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function label(question: string, parts: Partial<AnswerLabel> = {}): AnswerLabel {
  const key = questionKey({ question });
  const told = { risk: 0.1, isWrong: false, writer: BUILT_IN_WRITER, model: 'm1' };
  return { question: key, ...told, from: 'test', at: '2026-11-28T12:00:00.000Z', ...parts };
}

const lines = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, LABELS_FILE), 'utf8')).trimEnd().split('\n');

describe('labels of answers', () => {
  it('are of each question and writer the newest, and none twice', async () => {
    await addLabels(folder, [label('How many?'), label('which?')]);
    await addLabels(folder, [label('how  MANY'), label('which?', { writer: 'openai:gpt' })]);
    expect(await lines()).toHaveLength(3);
    await addLabels(folder, [label('How many?', { isWrong: true, from: 'thumb' })]);
    const { labels, unreadable } = await readLabels(folder);
    expect(unreadable).toBe(0);
    expect(labels.map(({ isWrong, from, writer }) => [isWrong, from, writer])).toEqual([
      [true, 'thumb', BUILT_IN_WRITER],
      [false, 'test', BUILT_IN_WRITER],
      [false, 'test', 'openai:gpt'],
    ]);
  });

  it('hold no word of a question', async () => {
    await addLabels(folder, [label('salary of Ana Silva')]);
    expect((await lines()).join()).not.toMatch(/salary|silva/i);
  });

  it('survive a line that was cut off, which is counted', async () => {
    await addLabels(folder, [label('one')]);
    await appendFile(join(folder, LABELS_FILE), '{"question":"half');
    await addLabels(folder, [label('two')]);
    const { labels, unreadable } = await readLabels(folder);
    expect([labels.length, unreadable]).toEqual([2, 1]);
  });

  it('stay where they were given: no bundle carries them', async () => {
    await addLabels(folder, [label('one')]);
    await writeFile(join(folder, PROJECT_RISK_FILE), '{}');
    expect(await bundleFiles(folder)).toEqual([PROJECT_RISK_FILE]);
  });

  it.each([
    ['case, blanks and the sign at the end', { question: 'How  many Orders?' }, true],
    ['another hint', { question: 'how many orders', hint: 'paid' }, false],
    ['other questions before it', { question: 'how many orders', after: ['in 2023'] }, false],
  ])('are of the same question but for %s: %o', (_, asked, isSame) =>
    expect(questionKey(asked) === questionKey({ question: 'how many orders' })).toBe(isSame),
  );
});

describe('the risk of a project', () => {
  const labels = Array.from({ length: 40 }, (_, at) =>
    label(`question ${at}`, { risk: at / 40, isWrong: at % 2 === 0 }),
  );

  it('is learned by writer, of labels whose risk the same models told', () => {
    const others = [label('a', { writer: 'openai:gpt' }), label('b', { model: 'm0' })];
    const fitted = fitProjectRisk([...labels, ...others], 'm1');
    expect(
      [...fitted].map(([writer, { curve, shift }]) => [writer, curve.rows, shift !== undefined]),
    ).toEqual([
      [BUILT_IN_WRITER, 40, true],
      ['openai:gpt', 1, false],
    ]);
  });

  it('comes back from its file, and is set aside where other models tell the risk', async () => {
    const fitted = fitProjectRisk(labels, 'm1');
    await writeProjectRisk(folder, fitted, { model: 'm1', at: new Date('2026-11-28T12:00:00Z') });
    expect(await readProjectRisk(folder, 'm1')).toEqual({ writers: fitted, isOfOthers: false });
    expect(await readProjectRisk(folder, 'm2')).toEqual({ writers: new Map(), isOfOthers: true });
  });

  it('is nothing without a file, and a fault with a damaged one', async () => {
    expect(await readProjectRisk(folder, 'm1')).toEqual({ writers: new Map(), isOfOthers: false });
    for (const text of ['', '{"version":1', '{"version":2}']) {
      await writeFile(join(folder, PROJECT_RISK_FILE), text);
      expect(await codeOf(readProjectRisk(folder, 'm1'))).toBe('uncertainty.model-invalid');
    }
  });
});
