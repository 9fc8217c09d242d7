/** The models that tell a risk: that of a project where it has trained one, else what comes with Candor. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { once } from '../../lib/index.ts';
import { readBytesIfThere } from '../../store/index.ts';
import { RISK_CURVE_SCHEMA } from '../calibration/calibration-schema.ts';
import type { RiskCurve } from '../calibration/risk-coverage.ts';
import type { WriterWeights } from '../policy/risk-with-writer.ts';
import { decodeUncertaintyModel } from './model-file.ts';
import type { UncertaintyModel } from './uncertainty-model.ts';

/** Of the file that `candor train uncertainty` writes among the derived files of a project. */
export const PROJECT_MODEL_FILE = 'uncertainty.model';
/** Written by `scripts/train-uncertainty.ts`. */
export const SHIPPED_MODEL_FILE = new URL('./shipped/uncertainty.model', import.meta.url);

/**
 * `path`: where a project's own model may lie. It is read at every call, the shipped one at the first. Throws
 * `uncertainty.model-missing` where Candor came without its model, `uncertainty.model-invalid` for a file that is damaged or of another version: a damaged model of a project is never
 * replaced by the shipped one in silence.
 */
export async function openUncertaintyModel(path?: string): Promise<UncertaintyModel> {
  const own = path === undefined ? undefined : await readBytesIfThere(path);
  if (path !== undefined && own !== undefined) return decodeUncertaintyModel(own, path);
  return readShipped();
}

const readShipped = once(async () =>
  decodeUncertaintyModel(await readShippedModel(), 'the model that comes with Candor'),
);

/** Throws `uncertainty.model-missing`. */
export async function readShippedModel(): Promise<Uint8Array> {
  try {
    return await readFile(SHIPPED_MODEL_FILE);
  } catch (error) {
    throw new CandorError(
      'uncertainty.model-missing',
      'The model of uncertainty that comes with Candor is not there.',
      {
        cause: error,
      },
    );
  }
}

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
