import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readLabelled } from './read-labelled.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-labelled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('labels answers and refusals, and leaves out what goes on from something else or is skipped', async () => {
  const file = join(folder, 'cases.yml');
  writeFileSync(
    file,
    `- { id: a, question: how many?, expect: { kind: answered, result: [[1]] } }
- { id: b, question: how tall?, expect: { kind: reject } }
- { id: c, question: lately?, expect: { kind: clarify } }
- { id: d, question: and in May?, after: [how many in June?], sql: SELECT 1 }
- { id: e, question: how wide?, skip: later, expect: { kind: reject } }
- { id: f, turns: [{ question: who?, expect: { kind: reject } }] }
`,
  );
  expect(await readLabelled([file], [])).toEqual([
    { id: `${file} a`, question: 'how many?', isAnswerable: true },
    { id: `${file} b`, question: 'how tall?', isAnswerable: false },
  ]);
});
