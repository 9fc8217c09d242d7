/** TCHR, the reward of BAR-SQL, as a function of facts. What has side effects is gathered before: `scorer/`. */
import { CandorError } from '../../../errors.ts';
import type { ComparedResult } from '../../../results/index.ts';
import type { DialectName } from '../../../sql/dialect.ts';
import {
  type NamedSchema,
  resolverFromScopes,
  type SqlTree,
  scopes,
  similarity,
} from '../../../sql/index.ts';
import { type DenseLikeness, denseLikeness } from './dense-likeness.ts';
import { grammarReward, grammarRewardAsPublished } from './grammar-reward.ts';
import { lengthReward } from './length-reward.ts';
import { meaningReward } from './meaning-reward.ts';
import { parseQuery, type ReadAnswer, readAnswer } from './read-answer.ts';
import type { GoldKind, RewardCategory } from './reward-category.ts';
import { ruleLikeness } from './rule-likeness.ts';
import { sameResults } from './same-results.ts';

/** What is known of one output before it is judged: plain data, of which what does not apply is absent. */
export interface RewardFacts {
  readonly category: RewardCategory;
  readonly goldKind: GoldKind;
  /** SQL, or the sentence that is right. */
  readonly gold: string;
  /** All that the model wrote, with its tags. */
  readonly output: string;
  /** Length of the output in tokens of the model. */
  readonly tokens: number;
  readonly dialect: DialectName;
  /** What names of the SQL mean; without it the FROM clauses alone tell. */
  readonly schema?: NamedSchema;
  /** The order of rows counts: the gold has ORDER BY and the question asks for an order. */
  readonly orderMatters?: boolean;
  /** Whether the SQL of the answer can be planned; needed for an answer in SQL. */
  readonly isPlannable?: boolean;
  /** Absent where the query cannot be run. */
  readonly goldResult?: ComparedResult;
  readonly predictedResult?: ComparedResult;
  /** Cosine of answer and gold; needed where both are words. */
  readonly meaning?: number;
  /** Cosines of column names, by gold column, then predicted one; needed where there are both results. */
  readonly headers?: readonly (readonly number[])[];
}

export interface RewardOptions {
  /** As the published code does it, with its quirks; see docs/guides/reward.md. */
  readonly codeCompat?: boolean;
  /** For `multi_step` the structure is compared by rules (S_rule) in place of the tree (S_ast). */
  readonly usesRules?: boolean;
}

export interface Reward {
  /** The weighted sum, from −0.8 to 3.4. */
  readonly total: number;
  readonly format: 0 | 1;
  readonly grammar: 0 | 1;
  /** From −1 to 0; lower with `codeCompat`. */
  readonly length: number;
  /** From 0 to 1. */
  readonly accuracy: number;
  readonly detail: RewardDetail;
}

/** What the accuracy was made of; what was not needed is absent. */
export interface RewardDetail {
  readonly answerKind: ReadAnswer['kind'];
  readonly isEqual?: boolean;
  readonly tree?: number;
  readonly rules?: number;
  readonly dense?: DenseLikeness;
  readonly meaning?: number;
}

/** w of the published training script. */
export const REWARD_WEIGHTS = { accuracy: 1.5, format: 1, grammar: 0.9, length: 0.8 } as const;
/** α of equation 10: the share of structure beside that of results. */
const STRUCTURE_SHARE = 0.5;

/** R = 1.0·format + 0.9·grammar + 1.5·accuracy + 0.8·length (arXiv 2601.10318, §3.3; weights of its script). */
export function computeReward(facts: RewardFacts, options: RewardOptions = {}): Reward {
  const { codeCompat = false } = options;
  const { isWellFormed, answer } = readAnswer(facts.output, { dialect: facts.dialect, codeCompat });
  const format = isWellFormed ? 1 : 0;
  const isPlannable = answer.kind === 'sql' && needed(facts.isPlannable, 'isPlannable');
  const rate = codeCompat ? grammarRewardAsPublished : grammarReward;
  const grammar = rate({ ...facts, answerKind: answer.kind, isPlannable });
  const length = lengthReward(facts.tokens, { isClamped: !codeCompat });
  const { accuracy, ...parts } = accuracyOf(facts, answer, options);
  return {
    total: sumOf({ format, grammar, length, accuracy }),
    ...{ format, grammar, length, accuracy },
    detail: { answerKind: answer.kind, ...parts },
  };
}

function sumOf(parts: Readonly<Record<keyof typeof REWARD_WEIGHTS, number>>): number {
  const { accuracy, format, grammar, length } = REWARD_WEIGHTS;
  return accuracy * parts.accuracy + format * parts.format + grammar * parts.grammar + length * parts.length;
}

type Accuracy = { readonly accuracy: number } & Omit<RewardDetail, 'answerKind'>;

function accuracyOf(facts: RewardFacts, answer: ReadAnswer, options: RewardOptions): Accuracy {
  if (answer.kind === 'none' || answer.kind !== facts.goldKind) return { accuracy: 0 };
  if (answer.kind === 'nl') return accuracyOfWords(facts, answer.text, options);
  return options.codeCompat === true
    ? accuracyAsPublished(facts, answer.tree)
    : accuracyOfSql(facts, answer.tree, options);
}

function accuracyOfWords(facts: RewardFacts, text: string, { codeCompat }: RewardOptions): Accuracy {
  const isExact = facts.category === 'metric_reject' || facts.category === 'follow_up';
  if (codeCompat === true && isExact) return { accuracy: text === facts.gold.trim() ? 1 : 0 };
  const meaning = needed(facts.meaning, 'meaning');
  return { accuracy: meaningReward(meaning), meaning };
}

/** Equations 9 and 10: 1 for equal results, else structure and results half and half. */
function accuracyOfSql(
  facts: RewardFacts,
  predicted: SqlTree | undefined,
  { usesRules }: RewardOptions,
): Accuracy {
  const isEqual = areEqual(facts);
  if (isEqual === true) return { accuracy: 1, isEqual };
  const isByRules = usesRules === true && facts.category === 'multi_step';
  const structure = isByRules
    ? { rules: ruleScore(facts, predicted) }
    : { tree: treeScore(facts, predicted) };
  const dense = denseScore(facts);
  const share = structure.rules ?? structure.tree ?? 0;
  // The results of a query over a schema that is not there are unknown: the structure is all there is.
  const isOnlyStructure = facts.category === 'degenerate' && facts.goldResult === undefined;
  const accuracy = isOnlyStructure ? share : mix(share, dense.dense);
  return { accuracy, ...(isEqual !== undefined && { isEqual }), ...structure, ...dense };
}

function accuracyAsPublished(facts: RewardFacts, predicted: SqlTree | undefined): Accuracy {
  if (facts.category === 'multi_step') {
    const [rules, dense] = [ruleScore(facts, predicted), denseScore(facts, true)];
    return { accuracy: mix(rules, dense.dense), rules, ...dense };
  }
  const tree = treeScore(facts, predicted);
  if (facts.category === 'degenerate') return { accuracy: tree, tree };
  const isEqual = areEqual(facts);
  return {
    accuracy: isEqual === true ? 1 : STRUCTURE_SHARE * tree,
    ...(isEqual !== undefined && { isEqual }),
    tree,
  };
}

function mix(structure: number, dense: DenseLikeness | undefined): number {
  return STRUCTURE_SHARE * structure + (1 - STRUCTURE_SHARE) * (dense?.total ?? 0);
}

/** Undefined where one of the results is not there. */
function areEqual({ goldResult, predictedResult, orderMatters }: RewardFacts): boolean | undefined {
  if (goldResult === undefined || predictedResult === undefined) return undefined;
  return sameResults(goldResult, predictedResult, { orderMatters: orderMatters === true });
}

function denseScore(
  { goldResult, predictedResult, headers }: RewardFacts,
  emptyIsUnlike = false,
): { readonly dense?: DenseLikeness } {
  if (goldResult === undefined || predictedResult === undefined) return {};
  return { dense: denseLikeness(goldResult, predictedResult, needed(headers, 'headers'), { emptyIsUnlike }) };
}

/** S_ast, equation 11; 0 where one of the queries cannot be read. */
function treeScore({ gold, dialect, schema }: RewardFacts, predicted: SqlTree | undefined): number {
  const wanted = parseQuery(gold, dialect);
  if (wanted === undefined || predicted === undefined) return 0;
  if (schema === undefined) return similarity(wanted, predicted);
  return similarity(wanted, predicted, { resolve: (tree) => resolverFromScopes(scopes(tree, schema)) });
}

function ruleScore({ gold, dialect }: RewardFacts, predicted: SqlTree | undefined): number {
  const wanted = parseQuery(gold, dialect);
  return wanted === undefined || predicted === undefined ? 0 : ruleLikeness(wanted, predicted);
}

/** A fact that the caller owes for this answer. */
function needed<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new CandorError('internal.bug', `the reward needs the fact ${name}`);
  return value;
}
