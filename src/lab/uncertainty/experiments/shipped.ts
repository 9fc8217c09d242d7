/** The model that comes with Candor on SQL that a real system wrote for BIRD dev. */
import { scoreValues, type UncertaintyModel } from '../../../uncertainty/index.ts';
import { TEST_DATABASES } from '../../linking/replay-set.ts';
import { auc } from '../../metrics/auc.ts';
import { ece } from '../../metrics/reliability.ts';
import { typeOnlyScores } from '../../metrics/type-only-scores.ts';
import type { NodeRows, RowQuery } from '../data/node-rows.ts';
import { readPredictionSet } from '../data/prediction-set.ts';
import { type ReadCandidate, type ReadRows, readRows } from '../data/read-rows.ts';
import { BASE, besideEachOther, FIVE_PROMPTS } from './setups.ts';

export interface ShippedFigures {
  /** The eight databases that it has learned from as well, or the three that nothing was learned or chosen on. */
  readonly split: 'learned' | 'test';
  /** Answers to other prompts that each query is seen beside. */
  readonly others: 0 | 4;
  readonly queries: number;
  readonly nodes: number;
  /** Share of nodes that are wrong. */
  readonly wrongNodes: number;
  /** Of `All` and of types of nodes, in [0, 1]; NaN where a type has one label only. */
  readonly nodeAuc: Readonly<Record<string, number>>;
  /** Of knowing each type's rate of errors and nothing else; the rates are those of the open databases. */
  readonly typeOnlyAuc: number;
  /** Of calibrated probabilities. */
  readonly nodeEce: number;
  /** Of the queries whose rows were judged. */
  readonly judgedQueries: number;
  readonly queryAuc: number;
  readonly queryEce: number;
}

export interface MeasureShippedOptions {
  readonly dataDirectory: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string, done: number, of: number) => void;
}

export const SHIPPED_TYPES = ['Identifier', 'Column', 'Literal', 'Table', 'TableAlias'] as const;

/** The plain prompt of the 7B model, alone and beside its four other prompts. Throws `eval.data-missing`. */
export async function measureShipped(
  model: UncertaintyModel,
  options: MeasureShippedOptions,
): Promise<readonly ShippedFigures[]> {
  const read = await readShippedViews(model, options);
  return read.flatMap(({ others, rows }) => figuresOf(model, rows, others));
}

export interface ShippedView {
  readonly others: ShippedFigures['others'];
  readonly rows: NodeRows;
}

/** The rows of both views, for models of the same features. */
export async function readShippedViews(
  { space }: Pick<UncertaintyModel, 'space'>,
  { dataDirectory, signal, onProgress }: MeasureShippedOptions,
): Promise<readonly ShippedView[]> {
  const set = await readPredictionSet('bird', dataDirectory);
  const view = async (others: ShippedFigures['others']): Promise<ShippedView> => {
    const plan = (candidates: readonly ReadCandidate[]) =>
      besideEachOther(others === 0 ? [BASE] : FIVE_PROMPTS)(candidates).filter(({ tag }) => tag === BASE);
    const { rows }: ReadRows = await readRows(
      set,
      { groups: space.names, plan },
      {
        ...(signal && { signal }),
        onProgress: (done, of) => onProgress?.(`questions, ${others} others`, done, of),
      },
    );
    return { others, rows };
  };
  return [await view(0), await view(4)];
}

/** Of the open databases and of the others. */
export function figuresOf(
  model: UncertaintyModel,
  rows: NodeRows,
  others: ShippedFigures['others'],
): readonly ShippedFigures[] {
  const isOpen = ({ database }: RowQuery): boolean => !TEST_DATABASES.has(database);
  const open = scoreAll(model, rows, rows.queries.filter(isOpen));
  const test = scoreAll(
    model,
    rows,
    rows.queries.filter((query) => !isOpen(query)),
  );
  return [
    { split: 'learned', others, ...measure(open, open) },
    { split: 'test', others, ...measure(test, open) },
  ];
}

interface Scored {
  readonly types: readonly string[];
  readonly labels: readonly number[];
  readonly probabilities: readonly number[];
  readonly queries: readonly { readonly risk: number; readonly isRight: boolean | undefined }[];
}

function scoreAll(model: UncertaintyModel, rows: NodeRows, queries: readonly RowQuery[]): Scored {
  const [types, labels, probabilities]: [string[], number[], number[]] = [[], [], []];
  const risks = queries.map((query) => {
    const own = Array.from({ length: query.end - query.start }, (_, at) => rows.typeAt(query.start + at));
    const scored = scoreValues(own, rows.valuesOf(query), model);
    for (const [at, type] of own.entries()) {
      types.push(type);
      labels.push(rows.labelAt(query.start + at));
      probabilities.push(scored.probabilities[at] ?? 0);
    }
    return { risk: scored.queryRisk, isRight: query.isRight };
  });
  return { types, labels, probabilities, queries: risks };
}

function measure(
  { types, labels, probabilities, queries }: Scored,
  open: Scored,
): Omit<ShippedFigures, 'split' | 'others'> {
  const aucOf = (type: string): number => {
    const rows = types.flatMap((own, row) => (type === 'All' || own === type ? [row] : []));
    return auc(
      rows.map((row) => probabilities[row] ?? 0),
      rows.map((row) => labels[row] ?? 0),
    );
  };
  const judged = queries.filter(({ isRight }) => isRight !== undefined);
  const whole = {
    scores: judged.map(({ risk }) => risk),
    labels: judged.map(({ isRight }) => Number(isRight === false)),
  };
  return {
    queries: queries.length,
    nodes: labels.length,
    wrongNodes: labels.reduce((sum, label) => sum + label, 0) / labels.length,
    nodeAuc: Object.fromEntries(['All', ...SHIPPED_TYPES].map((type) => [type, aucOf(type)])),
    typeOnlyAuc: auc(typeOnlyScores(types, open), labels),
    nodeEce: ece({ scores: probabilities, labels }),
    judgedQueries: judged.length,
    queryAuc: auc(whole.scores, whole.labels),
    queryEce: ece(whole),
  };
}
