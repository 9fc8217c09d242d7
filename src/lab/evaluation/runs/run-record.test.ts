import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reopenRecordLines } from './run-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-record-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RECORD = z.strictObject({ id: z.number() });

async function reopened(text: string): Promise<{ readonly came: unknown; readonly left: string }> {
  const path = join(folder, 'run.jsonl');
  writeFileSync(path, text);
  const came = await reopenRecordLines(path, RECORD, () => undefined).catch(({ code }) => code);
  return { came, left: readFileSync(path, 'utf8') };
}

describe('a run that goes on', () => {
  it.each([
    ['loses a last line that was cut off', '{"id": 1}\n{"id": 2', [{ id: 1 }], '{"id": 1}\n'],
    ['may be empty', '', [], ''],
  ])('%s', async (_, text, came, left) => {
    expect(await reopened(text)).toEqual({ came, left });
  });

  it.each([
    ['a file of one line without its end', '{"very": "important"}'],
    ['a file of something else', 'name,amount\n'],
  ])('is not %s, which stays as it was', async (_, text) => {
    expect(await reopened(text)).toEqual({ came: 'eval.run-invalid', left: text });
  });
});
