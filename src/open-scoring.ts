/** What the assessment of queries needs besides them, made ready once for a session. */
import { join } from 'node:path';
import type { Config } from './config/index.ts';
import { prepareSchemaFacts, type SchemaFacts } from './faults/index.ts';
import type { KnownSchema } from './known-facts.ts';
import { prepareLinking } from './linking/index.ts';
import { formSchemaOpinion } from './reasoning/index.ts';
import {
  type AskedQuestion,
  openUncertaintyModel,
  PROJECT_MODEL_FILE,
  prepareQuestion,
  type RiskThresholds,
  thresholdFor,
  type UncertaintyModel,
} from './uncertainty/index.ts';

export interface Scoring {
  readonly model: UncertaintyModel;
  readonly schema: SchemaFacts;
  /** What linking expects of a question, for the features of its queries. */
  readonly prepare: (question: string, hint?: string) => AskedQuestion;
  /** The risk up to which a share of wrong answers is kept; 1 for a share of 1, undefined where none is proven. */
  readonly curve: RiskThresholds;
}

/** Throws `uncertainty.model-missing`, `uncertainty.model-invalid`, `boosting.model-invalid`. */
export async function openScoring(
  { catalog, values }: Pick<KnownSchema, 'catalog' | 'values'>,
  { derivedDirectory }: Pick<Config, 'derivedDirectory'>,
): Promise<Scoring> {
  const [model, { linker, forests }] = await Promise.all([
    openUncertaintyModel(join(derivedDirectory, PROJECT_MODEL_FILE)),
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
    curve: {
      thresholdFor: (target) => {
        if (target >= 1) return 1;
        return target <= 0 ? undefined : thresholdFor(model.curve, target);
      },
    },
  };
}

/** Opened at the first call; what fails is tried again by the next. */
export function lazyScoring(...given: Parameters<typeof openScoring>): () => Promise<Scoring> {
  let opened: Promise<Scoring> | undefined;
  return () => {
    opened ??= openScoring(...given).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
