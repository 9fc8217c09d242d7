/** What the assessment of queries needs besides them, made ready once for a session. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { prepareSchemaFacts, type SchemaFacts } from '../../faults/index.ts';
import type { KnownSchema } from '../../knowledge/base/index.ts';
import { once } from '../../lib/index.ts';
import { prepareLinking } from '../../linking/index.ts';
import { formSchemaOpinion } from '../../reasoning/grounded/linking/index.ts';
import {
  type AskedQuestion,
  openUncertaintyModel,
  openWriterRisk,
  PROJECT_MODEL_FILE,
  prepareQuestion,
  type RiskCurve,
  type RiskThresholds,
  thresholdFor,
  type UncertaintyModel,
  type WriterRisk,
} from '../../uncertainty/index.ts';

export interface Scoring {
  readonly model: UncertaintyModel;
  readonly schema: SchemaFacts;
  /** What linking expects of a question, for the features of its queries. */
  readonly prepare: (question: string, hint?: string) => AskedQuestion;
  /** The risk up to which a share of wrong answers is kept; 1 for a share of 1, undefined where none is proven. */
  readonly curve: RiskThresholds;
  /** What the built-in engine's own probability adds; absent: the project has trained a model, which knows nothing of it. */
  readonly writer?: Omit<WriterRisk, 'curve'> & {
    readonly curve: RiskThresholds;
    /** What the curve was measured on. */
    readonly measured: RiskCurve;
  };
}

/** Throws `uncertainty.model-missing`, `uncertainty.model-invalid`, `boosting.model-invalid`. */
export async function openScoring(
  { catalog, values }: Pick<KnownSchema, 'catalog' | 'values'>,
  { derivedDirectory }: Pick<Config, 'derivedDirectory'>,
): Promise<Scoring> {
  const ownModel = join(derivedDirectory, PROJECT_MODEL_FILE);
  const [model, writer, { linker, forests }] = await Promise.all([
    openUncertaintyModel(ownModel),
    existsSync(ownModel) ? undefined : openWriterRisk(),
    prepareLinking(catalog, { values }),
  ]);
  return {
    model,
    schema: prepareSchemaFacts(catalog),
    prepare(text, hint) {
      const asked = { text, ...(hint !== undefined && { hint }) };
      const opinion = formSchemaOpinion(
        { question: text, ...(hint !== undefined && { hint }) },
        linker,
        forests,
      );
      return prepareQuestion(asked, catalog, opinion);
    },
    curve: thresholdsOf(model.promise),
    ...(writer && { writer: { ...writer, curve: thresholdsOf(writer.curve), measured: writer.curve } }),
  };
}

function thresholdsOf(curve: RiskCurve): RiskThresholds {
  return {
    thresholdFor: (target) => {
      if (target >= 1) return 1;
      return target <= 0 ? undefined : thresholdFor(curve, target);
    },
  };
}

/** Opened at the first call; what fails is tried again by the next. */
export function lazyScoring(...given: Parameters<typeof openScoring>): () => Promise<Scoring> {
  return once(() => openScoring(...given));
}
