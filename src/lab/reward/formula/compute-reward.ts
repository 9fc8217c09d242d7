/** TCHR, the reward of BAR-SQL, as a function of facts. What has side effects is gathered before: `scorer/`. */
import { CandorError } from '../../../errors.ts';
import { isStopWord, stemOf } from '../../../language/index.ts';
import { type ComparedResult, encodePair, matchColumns } from '../../../results/index.ts';
import type { Cell } from '../../../sql/dialects/cell.ts';
import type { DialectName } from '../../../sql/dialects/dialect.ts';
import { scopes, similarity } from '../../../sql/index.ts';
import { resolverFromScopes } from '../../../sql/normal/index.ts';
import type { NamedSchema } from '../../../sql/scope/index.ts';
import type { SqlTree } from '../../../sql/tree/index.ts';
import { type DenseLikeness, denseLikeness } from './dense-likeness.ts';
import { parseQuery, type ReadAnswer, readAnswer } from './read-answer.ts';
import { ruleLikeness } from './rule-likeness.ts';

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
  /** It names what the gold names, by the same act, in words of its own. */
  readonly isParaphrase?: boolean;
}

/** w of the published training script. */
const REWARD_WEIGHTS = { accuracy: 1.5, format: 1, grammar: 0.9, length: 0.8 } as const;
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
  const isParaphrase = codeCompat !== true && saysTheSame(text, facts);
  const accuracy = Math.max(meaningReward(meaning), isParaphrase ? NEAR_WEIGHT : 0);
  return { accuracy, meaning, ...(isParaphrase && { isParaphrase }) };
}

/**
 * The same thing is said to be missing, or asked for, by the same act: a question back or a refusal. Cosines of short sentences see
 * the wording more than the thing: right paraphrases stay below every bound, and a sentence about another thing comes near.
 */
export function saysTheSame(
  text: string,
  { gold, category }: Pick<RewardFacts, 'gold' | 'category'>,
): boolean {
  const isQuestion = text.includes('?');
  const isRefusal = !isQuestion && DENIAL.test(text);
  const isSameAct = category === 'ambiguity' || category === 'follow_up' ? isQuestion : isRefusal;
  const thing = isSameAct ? thingOf(gold, category) : [];
  const said = new Set(contentStems(text));
  return thing.length > 0 && thing.every((stem) => said.has(stem));
}

const DENIAL =
  /\b(?:no|not|none|nothing|never|nobody|cannot|without|unknown|missing|lacks?|unavailable)\b|n['’]t\b/i;

/** What the gold says is missing: the first words in quotes; of a dimension that is asked for, the words behind “which”. */
function thingOf(gold: string, category: RewardCategory): readonly string[] {
  const asked = category === 'follow_up' ? /\bwhich ([^?“”"]+?) do\b/i.exec(gold)?.[1] : undefined;
  return contentStems(asked ?? /[“"]([^“”"]+)[”"]/.exec(gold)?.[1] ?? '');
}

function contentStems(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !isStopWord(word, 'search')).map((word) => stemOf(word));
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

/** Cosines from which an answer in words counts as the same, and as nearly the same. */
const SAME = 0.96;
const NEAR = 0.9;
const NEAR_WEIGHT = 0.8;

/** R_acc for gold in words: the cosine ρ from 0.96 on, 0.8·ρ from 0.90 on, else 0. */
export function meaningReward(cosine: number): number {
  if (cosine >= SAME) return Math.min(1, cosine);
  return cosine >= NEAR ? NEAR_WEIGHT * cosine : 0;
}

/** Longest output, in tokens, and the part before it in which the penalty grows (DAPO's soft overlong punishment). */
const LONGEST_TOKENS = 2048;
const BUFFER_TOKENS = 409;

/**
 * R_len of BAR-SQL: 0 up to 1639 tokens, falling to −1 at 2048 and staying there. The published code lets it fall on
 * (`isClamped: false`).
 */
export function lengthReward(tokens: number, { isClamped = true } = {}): number {
  const free = LONGEST_TOKENS - BUFFER_TOKENS;
  if (tokens <= free) return 0;
  const penalty = (free - tokens) / BUFFER_TOKENS;
  return isClamped ? Math.max(-1, penalty) : penalty;
}

export interface GrammarFacts {
  readonly answerKind: 'sql' | 'nl' | 'none';
  readonly goldKind: GoldKind;
  readonly category: RewardCategory;
  /** Whether the engine, or the schema the question was asked about, can plan the SQL of the answer. */
  readonly isPlannable: boolean;
}

/** R_gram of BAR-SQL: the answer is of the right kind and, where it is SQL, can be planned. */
export function grammarReward({ answerKind, goldKind, isPlannable }: GrammarFacts): 0 | 1 {
  if (answerKind === 'none' || answerKind !== goldKind) return 0;
  return answerKind === 'nl' || isPlannable ? 1 : 0;
}

/**
 * The same with two quirks of the published code: SQL that can be planned earns it although a refusal was due, and
 * for `degenerate` it earns it when it can *not* be planned, since the merged column is not in the real database.
 */
export function grammarRewardAsPublished(facts: GrammarFacts): 0 | 1 {
  const { answerKind, goldKind, category, isPlannable } = facts;
  if (answerKind === 'none') return 0;
  if (answerKind === 'nl') return goldKind === 'nl' ? 1 : 0;
  return isPlannable !== (category === 'degenerate') ? 1 : 0;
}

/** Fractions this close are one number (§9 of the specification); whole numbers must be equal: 2023 is not 2024. */
const RELATIVE_TOLERANCE = 1e-3;
const ABSOLUTE_TOLERANCE = 1e-6;

type Row = readonly Cell[];

/**
 * Whether two results are the same bag of rows, or list where the order matters. Columns pair by their names where both
 * have the same, each once; else by their values in any order. Empty results are the same if they have as many columns.
 * A search for an order of the columns that meets its bound counts as different.
 */
export function sameResults(
  gold: ComparedResult,
  predicted: ComparedResult,
  { orderMatters = false }: { readonly orderMatters?: boolean } = {},
): boolean {
  if (gold.columns.length !== predicted.columns.length || gold.rows.length !== predicted.rows.length)
    return false;
  if (gold.rows.length === 0) return true;
  const byName = placesByName(gold.columns, predicted.columns);
  if (byName !== undefined) {
    const rows = predicted.rows.map((row) => byName.map((place) => row[place] ?? null));
    return sameRows(gold.rows, rows, orderMatters);
  }
  const pair = encodePair(gold, predicted, { textEqualsNumber: true });
  return (
    matchColumns(pair, { orderMatters }) === 'equal' || sameRows(gold.rows, predicted.rows, orderMatters)
  );
}

/** For each gold column the place of the predicted one of that name; undefined where names do not tell. */
function placesByName(gold: readonly string[], predicted: readonly string[]): readonly number[] | undefined {
  const fold = (name: string): string => name.trim().toLowerCase();
  const places = new Map(predicted.map((name, place) => [fold(name), place]));
  if (places.size < predicted.length) return undefined;
  const found = gold.flatMap((name) => places.get(fold(name)) ?? []);
  return new Set(found).size === gold.length ? found : undefined;
}

function sameRows(gold: readonly Row[], predicted: readonly Row[], orderMatters: boolean): boolean {
  const [left, right] = orderMatters ? [gold, predicted] : [sortRows(gold), sortRows(predicted)];
  return left.every((row, at) => row.every((cell, place) => isSame(cell, right[at]?.[place] ?? null)));
}

/** Texts come before numbers, so that numbers which differ a little do not part rows that belong together. */
function sortRows(rows: readonly Row[]): readonly Row[] {
  const keyed = rows.map((row) => {
    const values = row.map(comparedAs);
    const texts = values.map((value) => (typeof value === 'number' ? '' : value)).join('\u0000');
    return { row, texts, numbers: values.filter((value) => typeof value === 'number') };
  });
  keyed.sort((a, b) => {
    if (a.texts !== b.texts) return a.texts < b.texts ? -1 : 1;
    const at = a.numbers.findIndex((number, place) => number !== b.numbers[place]);
    return at === -1 ? 0 : (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
  });
  return keyed.map(({ row }) => row);
}

function isSame(gold: Cell, predicted: Cell): boolean {
  const [left, right] = [comparedAs(gold), comparedAs(predicted)];
  if (typeof left !== 'number' || typeof right !== 'number') return left === right;
  if (left === right || (Number.isInteger(left) && Number.isInteger(right))) return left === right;
  return Math.abs(left - right) <= Math.max(RELATIVE_TOLERANCE * Math.abs(left), ABSOLUTE_TOLERANCE);
}

const NUMBER_TEXT = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;

function comparedAs(cell: Cell): number | string {
  if (cell === null) return 'null';
  if (typeof cell === 'string') return NUMBER_TEXT.test(cell) ? Number(cell) : `text ${cell}`;
  if (typeof cell === 'object') return `bytes ${Buffer.from(cell).toString('hex')}`;
  const number = Number(cell);
  const isExact = typeof cell !== 'bigint' || Number.isSafeInteger(number);
  return isExact && Number.isFinite(number) ? number : `number ${cell}`;
}

/** The eight categories of BAR-SQL (issue 10; §5 of its specification): what kind of answer a question deserves. */
export const REWARD_CATEGORIES = [
  'standard',
  'multi_step',
  'reflection',
  'degenerate',
  'ambiguity',
  'dim_reject',
  'metric_reject',
  'follow_up',
] as const;

export type RewardCategory = (typeof REWARD_CATEGORIES)[number];

/** What the right answer is: a query, or a sentence that asks back or refuses. */
export type GoldKind = 'sql' | 'nl';
