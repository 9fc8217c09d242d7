import { CandorError } from '../../errors.ts';
import {
  type AskedModels,
  mentionContext,
  mentionRole,
  namedPlaces,
  questionGrams,
  questionSymbols,
  SHAPE_PARTS,
  type ShapePart,
} from '../../reasoning/index.ts';
import {
  type SoftmaxExample,
  type SoftmaxModel,
  type SoftmaxSettings,
  trainSoftmax,
} from '../../softmax/index.ts';
import type { TrainingItem } from './training-set.ts';

interface AskedExample {
  readonly fold: number;
  readonly grams: readonly string[];
  readonly shape: Readonly<Record<ShapePart, string>>;
  readonly roles: readonly SoftmaxExample[];
}

/** Outlines rarer than this are one label: too few to learn from. */
const RARE = 8;

/** What questions say of the queries they ask for, collected question by question. */
export class AskedExamples {
  readonly #examples: AskedExample[] = [];

  add({ question, gold }: TrainingItem, fold: number): void {
    const symbols = questionSymbols(question.tokens, question.mentions);
    const roles = namedPlaces(symbols).map(({ mention, place }) => ({
      features: mentionContext(symbols, place),
      label: mentionRole(mention, gold),
    }));
    this.#examples.push({ fold, grams: questionGrams(symbols), shape: gold.shape, roles });
  }

  get size(): number {
    return this.#examples.length;
  }

  /** Models of all folds but one, or of all. */
  train(settings: Partial<SoftmaxSettings>, without?: number): AskedModels {
    const examples = this.#examples.filter(({ fold }) => fold !== without);
    const shapes = Object.fromEntries(
      SHAPE_PARTS.map((part) => [
        part,
        trainPart(
          part,
          examples.map(({ grams, shape }) => ({ features: grams, label: shape[part] })),
          settings,
        ),
      ]),
    ) as Record<ShapePart, AskedModels['roles']>;
    const roles = trainPart(
      'roles',
      examples.flatMap((example) => example.roles),
      settings,
    );
    return { shapes, roles };
  }
}

function trainPart(
  part: string,
  all: readonly SoftmaxExample[],
  settings: Partial<SoftmaxSettings>,
): SoftmaxModel {
  const examples = withoutRare(all);
  const labels = new Set(examples.map(({ label }) => label));
  if (labels.size >= 2) return trainSoftmax(examples, settings);
  throw new CandorError(
    'engine.too-few-questions',
    `Of “${part}” there is nothing to tell apart: ${labels.size} of its labels are due in ${RARE} questions or more, two are needed.`,
  );
}

function withoutRare(examples: readonly SoftmaxExample[]): SoftmaxExample[] {
  const counts = new Map<string, number>();
  for (const { label } of examples) counts.set(label, (counts.get(label) ?? 0) + 1);
  return examples.filter(({ label }) => (counts.get(label) ?? 0) >= RARE);
}
