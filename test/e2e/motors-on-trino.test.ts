/** The demo's questions on a real Trino, which knows no keys: the links between the tables are inferred. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoTrino } from '../../scripts/trino.ts';
import { makeMotors } from '../../src/demo/index.ts';
import { TrinoFixture } from '../conformance/trino-fixture.ts';
import { answerMotors } from './answer-motors.ts';
import { loadMotors, TRINO_TYPES } from './motors-on-server.ts';
import { outcomeOf } from './outcome-of.ts';

const SIZE = { seed: 20_240_331, scale: 0.02 };
const missing = await whyNoTrino();
const trino = new TrinoFixture();
const folder = mkdtempSync(join(tmpdir(), 'candor-trino-motors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(missing !== null)(`Motors on Trino${missing === null ? '' : `, skipped: ${missing}`}`, () => {
  beforeAll(() => trino.start(), 200_000);
  afterAll(() => trino.stop(), 20_000);

  it('answers every question as on the file', async () => {
    cpSync(join(dirname(fileURLToPath(import.meta.url)), '../../examples/motors'), folder, {
      recursive: true,
    });
    const file = join(folder, 'motors.db');
    await makeMotors(file, { engine: 'sqlite', ...SIZE });
    const expected = await answerMotors(folder, `sqlite:${file}`);
    const made = await trino.make([]);
    await loadMotors((sql) => made.run([sql]), TRINO_TYPES, SIZE);
    const answers = await answerMotors(folder, made.url);
    for (const [question, answer] of answers)
      expect({ question, got: outcomeOf(answer) }).toEqual({
        question,
        got: outcomeOf(expected.get(question)),
      });
    expect(answers.size).toBe(60);
  }, 300_000);
});
