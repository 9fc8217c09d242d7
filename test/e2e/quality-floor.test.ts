/** A change may not make the engine worse on the open suites: the floors lie a point, or one question, below today's figures. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CandorError } from '../../src/errors.ts';
import { readSuite, type SuiteName } from '../../src/lab/corpus/index.ts';
import { openSuiteSession, runSuite, summariseSuite } from '../../src/lab/evaluation/index.ts';
import { SUITE_CACHE } from './open-suite.ts';

interface Floor {
  readonly suite: SuiteName;
  readonly outcomeAccuracy: number;
  readonly executionAccuracy: number;
  readonly forcedAnswerRateAtMost: number;
  readonly limit?: number;
}

const FLOORS: readonly Floor[] = [
  { suite: 'motors', outcomeAccuracy: 99, executionAccuracy: 99, forcedAnswerRateAtMost: 0 },
  { suite: 'chinook', outcomeAccuracy: 77, executionAccuracy: 77, forcedAnswerRateAtMost: 0 },
  { suite: 'sakila', outcomeAccuracy: 81, executionAccuracy: 80, forcedAnswerRateAtMost: 0 },
  { suite: 'spider', outcomeAccuracy: 72, executionAccuracy: 72, forcedAnswerRateAtMost: 100, limit: 200 },
];

/** Two hundred questions take half a minute alone, and longer beside other tests. */
const TIMEOUT_MS = 240_000;

const folder = mkdtempSync(join(tmpdir(), 'candor-floor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('quality floor', () => {
  it.for(FLOORS)('$suite', { timeout: TIMEOUT_MS }, async (floor, { skip }) => {
    const places = {
      cacheDirectory: SUITE_CACHE,
      ...(process.env.CANDOR_DATA === undefined ? {} : { dataDirectory: process.env.CANDOR_DATA }),
    };
    const suite = await readSuite(floor.suite, places).catch((error: unknown) => {
      if (error instanceof CandorError && error.code === 'eval.data-missing') return null;
      throw error;
    });
    if (suite === null) return skip(`the data of ${floor.suite} is not here`);
    const session = openSuiteSession(suite, places);
    try {
      const out = join(folder, `${floor.suite}.jsonl`);
      const report = await runSuite(suite, { ask: session.ask, out, limit: floor.limit });
      const { metrics } = summariseSuite(report);
      expect(metrics.outcomeAccuracy).toBeGreaterThanOrEqual(floor.outcomeAccuracy);
      expect(metrics.executionAccuracy).toBeGreaterThanOrEqual(floor.executionAccuracy);
      expect(metrics.forcedAnswerRate).toBeLessThanOrEqual(floor.forcedAnswerRateAtMost);
    } finally {
      await session.close();
    }
  });
});
