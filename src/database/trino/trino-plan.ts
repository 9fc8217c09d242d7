import { z } from 'zod';
import type { Plan } from '../interface/database.ts';

/** Estimates that Trino cannot make are the text "NaN". */
const ESTIMATE = z.object({
  outputRowCount: z.unknown(),
  outputSizeInBytes: z.unknown(),
  cpuCost: z.unknown(),
});
const IO_PLAN = z.object({
  inputTableColumnInfos: z.array(z.object({ estimate: ESTIMATE })),
  estimate: ESTIMATE,
});

/**
 * Reads the text of `EXPLAIN (TYPE IO, FORMAT JSON)`. `cost` is Trino's CPU estimate (bytes that pass through
 * operators), `bytes` the sum over the tables read; both are absent when the connector keeps no statistics.
 */
export function readTrinoPlan(text: string): Plan {
  const { estimate, inputTableColumnInfos } = IO_PLAN.parse(JSON.parse(text));
  const rows = readNumber(estimate.outputRowCount);
  const cost = readNumber(estimate.cpuCost);
  const sizes = inputTableColumnInfos.map((table) => readNumber(table.estimate.outputSizeInBytes));
  const bytes = sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
  return {
    ...(rows === undefined ? {} : { rows }),
    ...(cost === undefined ? {} : { cost }),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : undefined;
}
