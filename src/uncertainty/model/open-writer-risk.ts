import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { RISK_CURVE_SCHEMA } from '../calibration/calibration-schema.ts';
import type { RiskCurve } from '../calibration/risk-coverage.ts';
import type { WriterWeights } from '../policy/risk-with-writer.ts';

/** Written by `scripts/fit-writer-risk.ts`. */
export const WRITER_RISK_FILE = new URL('./shipped/writer-risk.json', import.meta.url);

/** How the risk of the model that ships and the probability of the built-in engine are taken together. */
export interface WriterRisk {
  readonly weights: WriterWeights;
  /** Of answers that the weights were not fitted to. */
  readonly curve: RiskCurve;
}

const FILE = z.strictObject({
  about: z.string(),
  weights: z.strictObject({ intercept: z.number(), sql: z.number().min(0), writer: z.number().min(0) }),
  curve: RISK_CURVE_SCHEMA,
});

/** Throws `uncertainty.model-missing`, `uncertainty.model-invalid`. */
export async function openWriterRisk(): Promise<WriterRisk> {
  const text = await readFile(WRITER_RISK_FILE, 'utf8').catch((cause: unknown) => {
    const message = 'What Candor has learned of its own answers is not there.';
    throw new CandorError('uncertainty.model-missing', message, { cause });
  });
  const parsed = FILE.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new CandorError('uncertainty.model-invalid', `${WRITER_RISK_FILE.pathname}: ${parsed.error.message}`);
}
