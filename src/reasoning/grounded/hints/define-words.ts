/** Definitions as spans of the question, ready for the cover of mentions. */
import type { GroundedKnowledge } from '../knowledge.ts';
import type { ValueMatch } from '../mention/mention.ts';
import type { Token } from '../read/tokenise.ts';
import { columnMatch } from './column-match.ts';
import type { DefinedSpan } from './defined-span.ts';
import type { Definition, Meaning } from './definition.ts';
import { type PlacedDefinition, placeDefinitions } from './place-definitions.ts';

/** What was said for this question weighs more than any value that is like its words. */
const DEFINED_SCORE = 1.3;

export interface DefinedWords {
  readonly spans: readonly DefinedSpan[];
  /** Definitions that explain something of the question. */
  readonly used: readonly Definition[];
  /** Conditions that no word of the question stands for. */
  readonly unsaid: readonly Definition[];
}

/** `female refers to gender = 'F'` → the word "female" as a value of the column. */
export function defineWords(
  definitions: readonly Definition[],
  tokens: readonly Token[],
  knowledge: GroundedKnowledge,
): DefinedWords {
  const isThing = (word: string): boolean =>
    knowledge.names.match([word]).some(({ kind, score }) => kind === 'table' && score >= 0.85);
  const placed = placeDefinitions(definitions, tokens, isThing);
  return {
    spans: placed.flatMap((each) => toSpan(each, tokens, knowledge) ?? []),
    used: placed.map(({ definition }) => definition),
    unsaid: placed.filter(({ range }) => range === undefined).map(({ definition }) => definition),
  };
}

function toSpan(
  { definition, range }: PlacedDefinition,
  tokens: readonly Token[],
  knowledge: GroundedKnowledge,
): DefinedSpan | undefined {
  if (range === undefined) return undefined;
  const { meaning, text } = definition;
  const base = { ...range, score: DEFINED_SCORE, nouns: [], values: [], isDefined: true };
  if (meaning.heldBy !== undefined) return heldValues(definition, range, tokens, knowledge);
  const value = plainValue(meaning);
  if (value !== undefined)
    return { ...base, values: value.map((match) => ({ ...match, why: `hint: ${text}` })) };
  const [columns, second] = meaning.columns;
  const isName = columns !== undefined && second === undefined && isOnly(meaning, 'columns');
  if (!isName) return { ...base, meaning };
  const words = tokens.slice(range.from, range.to).map(({ lower }) => lower);
  const tables = knowledge.names.match(words).filter(({ kind }) => kind === 'table');
  return { ...base, nouns: [...columns.map((column) => columnMatch(column, text)), ...tables] };
}

/** One equality with a value, as words that name a stored value have it. */
function plainValue(meaning: Meaning): Omit<ValueMatch, 'why'>[] | undefined {
  const [only, second] = meaning.conditions;
  const condition = only?.literal;
  const isPlain = condition?.operator === '=' && !condition.isNegated && isOnly(meaning, 'conditions');
  const value = condition?.values[0];
  if (second !== undefined || !isPlain || value === undefined) return undefined;
  return condition?.columns.map((column) => ({
    columnId: column.id,
    tableId: column.tableId,
    value,
    score: DEFINED_SCORE,
  }));
}

/** Nothing else is said. Joins choose keys, which is no matter of words. */
function isOnly(meaning: Meaning, part: 'columns' | 'conditions'): boolean {
  const { ranking, figure, having } = meaning;
  const other = part === 'columns' ? meaning.conditions : meaning.columns;
  return other.length === 0 && ranking === undefined && figure === undefined && having === undefined;
}

/** "TR000 is the molecule id": of the places that hold the text, the named column's. */
function heldValues(
  { meaning, text }: Definition,
  range: { readonly from: number; readonly to: number },
  tokens: readonly Token[],
  knowledge: GroundedKnowledge,
): DefinedSpan | undefined {
  const ids = new Set(meaning.heldBy?.flat().map(({ id }) => id));
  const said = tokens
    .slice(range.from, range.to)
    .map((token) => token.text)
    .join(' ');
  const values = knowledge
    .lookupValue(said)
    .filter(({ columnId }) => ids.has(columnId))
    .map((match) => ({ ...match, score: DEFINED_SCORE, why: `hint: ${text}` }));
  return values.length === 0
    ? undefined
    : { ...range, score: DEFINED_SCORE, nouns: [], values, isDefined: true };
}
