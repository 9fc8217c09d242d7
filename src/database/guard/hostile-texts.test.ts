/** Statements made to cost as much as they can: each is analysed or refused, with a code, and soon. */
import { expect, it } from 'vitest';
import { HOSTILE_KINDS, HOSTILE_POLICY, hostileCatalog } from '../../../test/fixtures/sql/hostile-texts.ts';
import { CandorError } from '../../errors.ts';
import { analyseStatement } from './analyse-statement.ts';
import { createGate } from './create-gate.ts';

const CATALOG = hostileCatalog(5_000);
/** `bench/guard-growth.ts` has the figures; here an order of magnitude more is a hang. */
const HANG_MS = 2_000;

it.each(HOSTILE_KINDS)('$dialect: $name', ({ dialect, make }) => {
  const gate = createGate(
    { kind: 'caller-queries', catalog: CATALOG, policy: HOSTILE_POLICY, properties: { tenant: 7 } },
    dialect,
  );
  for (const size of [2_000, 100_000]) {
    const sql = make(size);
    const from = process.cpuUsage();
    try {
      analyseStatement(sql, { gate, dialect, own: [] });
    } catch (error) {
      expect(error).toBeInstanceOf(CandorError);
      expect(error).not.toMatchObject({ code: 'internal.bug' });
    }
    expect(process.cpuUsage(from).user / 1_000).toBeLessThan(HANG_MS);
  }
});
