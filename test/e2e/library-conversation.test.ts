import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Candor, open, parseTalk } from '../../src/index.ts';
import { makeShop } from './cli/make-shop.ts';

let folder: string;
let app: Candor;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-library-'));
  makeShop(join(folder, 'shop.db'));
  app = await open({ database: 'sqlite:shop.db', cwd: folder });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a conversation goes on from its talk, also from one that was stored', async () => {
  const first = await app.converse('how many customers are in Lyon?');
  expect(first.cards).toMatchObject([{ kind: 'answer', answer: { kind: 'answered', rows: [[3]] } }]);
  const stored = parseTalk(JSON.parse(JSON.stringify(first.talk)));
  const second = await app.converse({ text: 'and in Paris?' }, stored);
  expect(second.cards).toMatchObject([{ kind: 'answer', answer: { kind: 'answered' } }]);
  expect(JSON.stringify(second.cards)).toContain('Paris');
  const alone = await app.converse('and in Paris?');
  expect(alone.cards).not.toMatchObject([{ kind: 'answer', answer: { kind: 'answered' } }]);
});
