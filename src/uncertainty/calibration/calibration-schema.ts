/** What a model file may hold as its calibration: files are not trusted, so every law that fitting keeps is checked. */
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { type Calibrator, MOST_GROUPS } from './fit-calibrator.ts';
import { type IsotonicMap, MOST_KNOTS } from './fit-isotonic.ts';
import { LARGEST_SCORE } from './labelled-rows.ts';
import { MOST_POINTS, type RiskCurve } from './risk-coverage.ts';

const MOST_ROWS = 1e9;

const SCORE = z.number().min(-LARGEST_SCORE).max(LARGEST_SCORE);
const PROBABILITY = z.number().min(0).max(1);
const COUNT = z.int().min(0).max(MOST_ROWS);

const KNOTS = {
  scores: z.array(SCORE).min(1).max(MOST_KNOTS),
  values: z.array(PROBABILITY.gt(0).lt(1)).min(1).max(MOST_KNOTS),
};

function checkKnots({ scores, values }: IsotonicMap, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  if (scores.length !== values.length)
    refuse(['values'], `there are ${values.length} values; expected ${scores.length}, one a score`);
  const level = scores.findIndex((score, at) => at > 0 && !(score > scores[at - 1]!));
  if (level >= 0) refuse(['scores', level], 'scores must ascend');
  const falling = values.findIndex((value, at) => at > 0 && value < values[at - 1]!);
  if (falling >= 0) refuse(['values', falling], 'values must not fall');
}

export const ISOTONIC_SCHEMA = z.strictObject(KNOTS).superRefine(checkKnots);

export const CALIBRATOR_SCHEMA = z.strictObject({
  groups: z
    .record(z.string(), z.strictObject({ ...KNOTS, rows: COUNT }).superRefine(checkKnots))
    .refine((groups) => Object.keys(groups).length <= MOST_GROUPS, `more than ${MOST_GROUPS} groups`),
  others: z.strictObject({ slope: z.number().min(0), intercept: z.number(), rows: COUNT }),
});

const POINT = z.strictObject({ threshold: PROBABILITY, shown: COUNT.min(1), wrong: COUNT });

export const RISK_CURVE_SCHEMA = z
  .strictObject({
    rows: COUNT.min(1),
    wrong: COUNT,
    aurc: PROBABILITY,
    coverageAt5: PROBABILITY,
    coverageAt10: PROBABILITY,
    points: z.array(POINT).min(1).max(MOST_POINTS),
  })
  .superRefine(({ rows, wrong, points }, context) => {
    let before = { threshold: -1, shown: 0, wrong: 0 };
    for (const [at, point] of points.entries()) {
      const errors = point.wrong - before.wrong;
      const isNext = point.threshold > before.threshold && point.shown > before.shown;
      if (!isNext || errors < 0 || errors > point.shown - before.shown)
        context.addIssue({
          code: 'custom',
          path: ['points', at],
          message: 'a point must follow the one before',
        });
      before = point;
    }
    if (before.shown !== rows || before.wrong !== wrong)
      context.addIssue({ code: 'custom', path: ['points'], message: 'the last point must show all rows' });
  });

/** Reads the map of a model file; `path` is named in messages only. Throws `uncertainty.model-invalid`. */
export function parseIsotonic(json: unknown, path: string): IsotonicMap {
  return parse(ISOTONIC_SCHEMA, json, path);
}

/** Reads the calibrator of a model file; `path` is named in messages only. Throws `uncertainty.model-invalid`. */
export function parseCalibrator(json: unknown, path: string): Calibrator {
  return parse(CALIBRATOR_SCHEMA, json, path);
}

/** Reads the curve of a model file; `path` is named in messages only. Throws `uncertainty.model-invalid`. */
export function parseRiskCurve(json: unknown, path: string): RiskCurve {
  return parse(RISK_CURVE_SCHEMA, json, path);
}

function parse<Value>(schema: z.ZodType<Value>, json: unknown, path: string): Value {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.reduce<string>(
    (before, step) => (typeof step === 'number' ? `${before}[${step}]` : `${before}.${String(step)}`),
    '',
  );
  const where = place?.replace(/^\./, '') || 'its calibration';
  throw new CandorError(
    'uncertainty.model-invalid',
    `cannot use the model ${path}: ${where}: ${issue?.message}`,
  );
}
