/** What is found in another thread is what would be found here, and nobody waits for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { HOSTILE_KINDS, HOSTILE_POLICY, hostileCatalog } from '../../../test/fixtures/sql/hostile-texts.ts';
import { CandorError } from '../../errors.ts';
import type { DialectName } from '../../sql/index.ts';
import { connect } from '../connect/connect.ts';
import { analyseAside } from './analyse-aside.ts';
import { analyseStatement } from './analyse-statement.ts';
import type { CallerQueries } from './create-gate.ts';
import { createGate } from './create-gate.ts';
import { guarded } from './guard.ts';

const OPTIONS: CallerQueries = {
  kind: 'caller-queries',
  catalog: hostileCatalog(300),
  policy: HOSTILE_POLICY,
  properties: { tenant: 7 },
};
const KINDS = HOSTILE_KINDS.filter((_, index) => index % 6 === 0);

async function told(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    return { code: error.code, message: error.message, data: error.data };
  }
}

function here(sql: string, dialect: DialectName): unknown {
  return analyseStatement(sql, { gate: createGate(OPTIONS, dialect), dialect, own: [] });
}

function aside(sql: string, dialect: DialectName, signal?: AbortSignal): Promise<unknown> {
  return told(() => analyseAside({ sql, options: OPTIONS, dialect, own: [], signal }));
}

/** Long, and nothing is wrong with it. */
const LONG = `SELECT id, email FROM customers WHERE id IN (${Array.from({ length: 9_000 }, (_, n) => n).join(', ')})`;

describe('a short statement that becomes a long one', () => {
  it('is analysed and run all the same', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-aside-'));
    const names = Array.from({ length: 150 }, (_, index) => `column_number_${index}`);
    const file = new DatabaseSync(join(folder, 'wide.db'));
    file.exec(`CREATE TABLE wide (${names.join(', ')})`);
    file.exec("INSERT INTO wide (column_number_0, column_number_1) VALUES (7, 'mine'), (8, 'hidden')");
    file.close();
    const columns = names.map((name) => ({ id: `wide.${name}`, name, type: 'TEXT' }));
    const database = await connect(`sqlite:${join(folder, 'wide.db')}`);
    const open = guarded(database, {
      kind: 'caller-queries',
      catalog: { tables: [{ id: 'wide', name: 'wide', ownsRows: true, columns }] },
      policy: {
        rowFilters: new Map([['wide', 'column_number_0 = 7']]),
        columnMasks: new Map([['wide.column_number_2', 'NULL']]),
      },
    });
    const sql = Array.from({ length: 60 }, () => 'SELECT column_number_1 FROM wide').join(' UNION ALL ');
    const { rows } = await open.query(sql, { rows: 100, bytes: 100_000, timeoutMs: 20_000 });
    expect(rows).toEqual(Array.from({ length: 60 }, () => ['mine']));
    await database.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a long statement', { timeout: 60_000 }, () => {
  it('is restricted as it would be here', async () => {
    const found = await aside(LONG, 'sqlite');
    expect(found).toEqual(here(LONG, 'sqlite'));
    expect(found).toMatchObject({ isRestricted: true });
  });

  it.each(KINDS)('gives the same verdict: $dialect, $name', async ({ dialect, make }) => {
    const sql = make(9_000);
    const found = await told(() => here(sql, dialect));
    expect(await aside(sql, dialect)).toEqual(found);
  });

  it('keeps nobody waiting', async () => {
    const kinds = HOSTILE_KINDS.filter(({ name }) => name === 'arguments of a call');
    const sql = kinds[0]?.make(100_000) ?? '';
    await aside(sql, 'sqlite');
    const from = performance.now();
    await told(() => here(sql, 'sqlite'));
    const hereMs = performance.now() - from;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await aside(sql, 'sqlite');
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(Math.max(20, hereMs / 2));
  });

  it('is given up when its caller leaves, and the next one is answered', async () => {
    const leaving = new AbortController();
    const left = aside(LONG, 'sqlite', leaving.signal);
    leaving.abort();
    expect(await left).toMatchObject({ code: 'database.cancelled' });
    expect(await aside(LONG, 'sqlite')).toMatchObject({ isRestricted: true });
  });

  it('is told to come again when too many wait', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => aside(LONG, 'sqlite')));
    const refused = answers.filter((answer) => answer instanceof Object && 'code' in answer);
    expect(new Set(refused.map((answer) => (answer as { code: string }).code))).toEqual(
      new Set(['server.overloaded']),
    );
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ data: { retryAfter: 10 } });
  });
});
