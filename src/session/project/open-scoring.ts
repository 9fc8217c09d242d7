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
  BUILT_IN_WRITER,
  joinCurves,
  openUncertaintyModel,
  openWriterRisk,
  PROJECT_MODEL_FILE,
  prepareQuestion,
  projectThresholds,
  type RiskCurve,
  type RiskShift,
  type RiskThresholds,
  readProjectRisk,
  riskModelId,
  shippedThresholds,
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
  /** Of the models that tell the risk: what labelled answers are kept with. */
  readonly modelId: string;
  /** What labelled answers of the project say, by who wrote the queries; `train risk` writes it. */
  readonly project: ReadonlyMap<string, ProjectScoring>;
}

export interface ProjectScoring {
  /** Absent while labels are too few to move anything. */
  readonly shift?: RiskShift | undefined;
  readonly curve: RiskThresholds;
  /** What was measured elsewhere and here, and how many of it here. */
  readonly measured?: Pick<RiskCurve, 'rows' | 'wrong' | 'points'> & { readonly own: number };
}

interface ShippedCurves {
  /** What a risk is said to rest on. */
  readonly measured: RiskCurve;
  /** What a target is held against. */
  readonly promise: RiskCurve;
}

/** The models that tell a risk, and what the project's labels have made of it. Throws as `openScoring` does. */
export async function openRiskModels(derivedDirectory: string) {
  const ownModel = join(derivedDirectory, PROJECT_MODEL_FILE);
  const [model, writer] = await Promise.all([
    openUncertaintyModel(ownModel),
    existsSync(ownModel) ? undefined : openWriterRisk(),
  ]);
  const modelId = riskModelId(model, writer);
  const known = await readProjectRisk(derivedDirectory, modelId);
  const shippedCurves = (name: string): ShippedCurves =>
    name === BUILT_IN_WRITER && writer !== undefined
      ? { measured: writer.curve, promise: writer.curve }
      : { measured: model.curve, promise: model.promise };
  return { model, writer, modelId, known, shippedCurves };
}

/** Throws `uncertainty.model-missing`, `uncertainty.model-invalid`, `boosting.model-invalid`. */
export async function openScoring(
  { catalog, values }: Pick<KnownSchema, 'catalog' | 'values'>,
  { derivedDirectory }: Pick<Config, 'derivedDirectory'>,
): Promise<Scoring> {
  const [{ model, writer, modelId, known, shippedCurves }, { linker, forests }] = await Promise.all([
    openRiskModels(derivedDirectory),
    prepareLinking(catalog, { values }),
  ]);
  return {
    model,
    modelId,
    project: new Map(
      [...known.writers].map(([name, { shift, curve }]) => {
        const shipped = shippedCurves(name);
        const measured = { ...joinCurves(shipped.measured, curve), own: curve.rows };
        const thresholds = projectThresholds({ shift, curve }, shipped.promise);
        return [name, { shift, curve: thresholds, ...(shift && { measured }) }];
      }),
    ),
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
    curve: shippedThresholds(model.promise),
    ...(writer && { writer: { ...writer, curve: shippedThresholds(writer.curve), measured: writer.curve } }),
  };
}

/** Opened at the first call; what fails is tried again by the next. */
export function lazyScoring(...given: Parameters<typeof openScoring>): () => Promise<Scoring> {
  return once(() => openScoring(...given));
}
