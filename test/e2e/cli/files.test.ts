import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCandor } from './run-candor.ts';

describe('a first day with a folder of files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-files-'));
  const run = (argv: readonly string[]) => runCandor(argv, folder);
  const put = (name: string, text: string): void => writeFileSync(join(folder, 'data', name), text);

  beforeAll(() => {
    mkdirSync(join(folder, 'data'));
    put(
      'customers.csv',
      'Customer No;Name;City\n00001;Café Zoé;Köln\n00002;Müller;Paris\n00003;Acme;Paris\n',
    );
    put(
      'orders.csv',
      'OrderID,Customer No,Order Date,Amount ($)\n1,00001,01/31/2024,"$1,200.50"\n2,00002,02/01/2024,$10.00\n3,00002,02/29/2024,$5.25\n',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is onboarded, asked, and asked again after a file has changed', async () => {
    const onboarded = await run(['onboard', 'data']);
    expect(onboarded).toMatchObject({ code: 0 });
    expect(onboarded.stderr).toContain('orders.csv → orders: order_date: the month before the day');
    expect(onboarded.stdout).toMatch(/foreign keys inferred +1/);

    const first = await run(['ask', '--output', 'csv', 'how many customers are in Paris?']);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout.split('\r\n')[1]).toBe('2');

    put(
      'customers.csv',
      'Customer No;Name;City\n00001;Café Zoé;Paris\n00002;Müller;Paris\n00003;Acme;Paris\n',
    );
    utimesSync(join(folder, 'data/customers.csv'), new Date(), new Date(Date.now() + 5000));
    const next = await run(['ask', '--output', 'csv', 'how many customers are in Paris?']);
    expect(next.stdout.split('\r\n')[1]).toBe('3');
  });

  it('is told what a folder without tables lacks', async () => {
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'notes/readme.txt'), 'nothing');
    const refused = await run(['ask', '--database', 'notes', 'how many customers are there?']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('no file that holds tables lies in');
    expect(refused.stderr).toContain('.csv');
  });
});
