/** What the engine has to say about rows reaches whoever reads them, in whatever form. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCandor } from '../../e2e/cli/run-candor.ts';
import { describeWithServer, postgresServer } from '../../servers/server-of-run.ts';
import type { TestDatabase } from '../../servers/test-server.ts';

const SAID = 'Amounts of type money are written as the server’s lc_monetary says';
const SQL = 'SELECT amount FROM fees ORDER BY id';
const QUESTION = 'List the amount of all fees.';

describeWithServer('postgres', 'notices', () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-notices-'));
  let made: TestDatabase;
  const candor = (...argv: readonly string[]) => runCandor([...argv], folder);
  beforeAll(async () => {
    made = await (await postgresServer()).createDatabase('notices');
    await made.run(
      `CREATE TABLE fees (id int PRIMARY KEY, amount money); INSERT INTO fees VALUES (1, 12.5), (2, 3)`,
    );
    writeFileSync(join(folder, 'candor.yml'), `database: ${made.url}\n`);
    expect((await candor('onboard')).code).toBe(0);
  }, 60_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await made?.drop();
  });

  it('stands below a table, in JSON, and beside CSV', async () => {
    expect((await candor('sql', SQL)).stdout).toContain(SAID);
    expect(JSON.parse((await candor('sql', '--output', 'json', SQL)).stdout)).toMatchObject({
      notices: [{ code: 'money-locale', text: expect.stringContaining(SAID) }],
    });
    const csv = await candor('sql', '--output', 'csv', SQL);
    expect(csv.stdout).toBe('amount\r\n$12.50\r\n$3.00\r\n');
    expect(csv.stderr).toContain(SAID);
    expect((await candor('sql', '--output', 'csv', '--quiet', SQL)).stderr).not.toContain(SAID);
  });

  it('stands on the card of an answer, in its JSON, beside its CSV, and in the record that is replayed', async () => {
    const card = await candor('ask', QUESTION);
    expect(card.stdout.replaceAll(/\s+/g, ' ')).toContain(SAID);
    const answer = JSON.parse((await candor('ask', '--output', 'json', QUESTION)).stdout);
    expect(answer).toMatchObject({ kind: 'answered', notices: [{ code: 'money-locale' }] });
    expect((await candor('ask', '--output', 'csv', QUESTION)).stderr).toContain(SAID);
    expect((await candor('replay', answer.recordId)).stdout).toContain('same');
  });
});
