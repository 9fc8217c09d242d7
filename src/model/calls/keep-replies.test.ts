/** Replies as files: what a cache keeps, and what a recording gives back. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatReply, ChatRequest, LanguageModel } from '../language-model/language-model.ts';
import { keepReplies, recordCalls, replayCalls } from './open-session-model.ts';
import { replyPath, requestKey } from './reply-file.ts';

const ASKED: ChatRequest = { role: 'write', messages: [{ role: 'user', content: 'a secret question' }] };
const FULL: ChatReply = {
  text: 'SELECT “é” 🙂\n',
  toolCalls: [{ id: 'a', name: 'probe', arguments: '{"sql": 1}', signature: 'sig' }],
  usage: { promptTokens: 10, completionTokens: 2, cachedTokens: 4, isEstimated: true },
  finish: 'stop',
  thoughts: 'hm',
  logProbabilities: [{ token: 'S', logProbability: -0.25 }],
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candor-replies-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Counted extends LanguageModel {
  readonly calls: () => number;
}

function modelOf(reply: ChatReply = FULL): Counted {
  let calls = 0;
  const chat = async (): Promise<ChatReply> => {
    calls += 1;
    return reply;
  };
  return { id: 'some/model@host', host: 'host', calls: () => calls, chat };
}

const pathOf = (request: ChatRequest): string => replyPath(directory, requestKey('some/model@host', request));
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'));

describe('kept replies', () => {
  it('answer the very same request without asking, and no other one', async () => {
    const model = modelOf();
    const kept = keepReplies(model, { directory });
    expect(await kept.chat(ASKED)).toEqual(FULL);
    expect(await kept.chat(ASKED)).toEqual({ ...FULL, isReplayed: true });
    expect(model.calls()).toBe(1);
    await kept.chat({ ...ASKED, seed: 1 });
    expect(model.calls()).toBe(2);
  });

  it.each(['{"model": "m", "ro', '{}', '', '[]', '{"model":"m","role":"","reply":{"text":4}}'])(
    'that cannot be read are asked for anew, and it is said: %j',
    async (text) => {
      const told: string[] = [];
      const model = modelOf();
      const kept = keepReplies(model, { directory, onNotice: (message) => told.push(message) });
      await kept.chat(ASKED);
      writeFileSync(pathOf(ASKED), text);
      expect(await kept.chat(ASKED)).toEqual(FULL);
      expect(told).toEqual([expect.stringContaining(pathOf(ASKED))]);
      expect((await kept.chat(ASKED)).isReplayed).toBe(true);
    },
  );

  it('are whole where two calls write the same one at once, and nothing else is left', async () => {
    const kept = keepReplies(modelOf(), { directory });
    await Promise.all(Array.from({ length: 8 }, () => kept.chat(ASKED)));
    expect(filesIn(directory).length).toBe(1);
    expect((await kept.chat(ASKED)).isReplayed).toBe(true);
  });

  it.each(['length', 'refused'] as const)('are none that ended by %s', async (finish) => {
    const model = modelOf({ ...FULL, finish });
    const kept = keepReplies(model, { directory });
    await kept.chat(ASKED);
    await kept.chat(ASKED);
    expect(model.calls()).toBe(2);
  });

  it('that cannot be kept cost nobody the answer, and it is said', async () => {
    const told: string[] = [];
    const blocked = join(directory, 'a-file');
    writeFileSync(blocked, '');
    const kept = keepReplies(modelOf(), { directory: blocked, onNotice: (message) => told.push(message) });
    expect(await kept.chat(ASKED)).toEqual(FULL);
    expect(told.join()).toContain('cannot be kept');
  });

  it('hold no prompt', async () => {
    await keepReplies(modelOf(), { directory }).chat(ASKED);
    expect(readFileSync(pathOf(ASKED), 'utf8')).not.toContain('secret question');
  });
});

describe('a recording', () => {
  it('is given back as it was, without the model', async () => {
    await recordCalls(modelOf(), directory).chat(ASKED);
    const first = readFileSync(pathOf(ASKED), 'utf8');
    const silent = modelOf();
    const replayed = replayCalls(silent, directory);
    expect(await replayed.chat(ASKED)).toEqual({ ...FULL, isReplayed: true });
    expect(silent.calls()).toBe(0);
    expect(replayed.host).toBeNull();
    await recordCalls(modelOf(), directory).chat(ASKED);
    expect(readFileSync(pathOf(ASKED), 'utf8')).toBe(first);
  });

  it('that is not there says how to make it, and not what was asked', async () => {
    await expect(replayCalls(modelOf(), directory).chat(ASKED)).rejects.toMatchObject({
      code: 'model.not-recorded',
      message: expect.stringMatching(/ask once with `record: [^`]*` in place of `replay`/),
    });
    await expect(replayCalls(modelOf(), directory).chat(ASKED)).rejects.not.toThrow('secret question');
  });

  it('that is damaged is named', async () => {
    await recordCalls(modelOf(), directory).chat(ASKED);
    writeFileSync(pathOf(ASKED), '{"reply"');
    await expect(replayCalls(modelOf(), directory).chat(ASKED)).rejects.toMatchObject({
      code: 'model.not-recorded',
      message: expect.stringContaining(pathOf(ASKED)),
    });
  });

  it('that cannot be written is no recording', async () => {
    const blocked = join(directory, 'a-file');
    writeFileSync(blocked, '');
    await expect(recordCalls(modelOf(), blocked).chat(ASKED)).rejects.toMatchObject({
      code: 'model.not-recorded',
    });
    const long = { ...FULL, text: 'x'.repeat(5 * 2 ** 20) };
    await expect(recordCalls(modelOf(long), directory).chat(ASKED)).rejects.toMatchObject({
      code: 'model.not-recorded',
    });
  });
});
