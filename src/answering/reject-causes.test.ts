/** Every refusal says which kind it is; that something is not here is said of what was looked for alone. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { ask } from './ask.ts';

const ROW = z.strictObject({ ask: z.string(), cause: z.string() });
const FILE = new URL('../../test/fixtures/absence/reject-causes.yml', import.meta.url);
const rows = z.array(ROW).parse(parse(readFileSync(FILE, 'utf8')));

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
}, 60_000);
afterAll(() => small.close());

describe('a refusal', () => {
  it.each(rows)('$ask: $cause', async ({ ask: question, cause }) => {
    const answer = await ask(question, small.session, { record: false });
    expect(answer).toMatchObject({ cause });
  });
});
