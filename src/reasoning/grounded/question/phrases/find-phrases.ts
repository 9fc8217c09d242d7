import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { DefinedSpan } from '../hints/defined-span.ts';
import type { Token } from '../read/tokenise.ts';
import { durations } from './durations.ts';
import { lateness } from './lateness.ts';
import type { PhraseContext, PhraseKind } from './phrase.ts';
import { selfRelations } from './self-relations.ts';
import { signs } from './signs.ts';
import { stock } from './stock.ts';
import { ways } from './ways.ts';
import { weekdays } from './weekdays.ts';

/** Every kind, in the order in which they are tried: the first that reads words keeps them. */
const KINDS: readonly PhraseKind[] = [selfRelations, ways, durations, lateness, stock, signs, weekdays];

/** What was read whole weighs more than any name or value that is like a part of it. */
const PHRASE_SCORE = 1.3;

/** Spans of the question that are conditions and figures by what the columns of one table have to do with one another. */
export function findPhrases(tokens: readonly Token[], knowledge: GroundedKnowledge): readonly DefinedSpan[] {
  const context: PhraseContext = {
    tokens,
    knowledge,
    named: namedTables(tokens, knowledge),
    measured: measuredDates(tokens, knowledge),
  };
  const spans: DefinedSpan[] = [];
  for (const kind of KINDS)
    for (const { from, to, meaning, tableId } of kind(context)) {
      if (spans.some((span) => from < span.to && span.from < to)) continue;
      const noun = { kind: 'table' as const, id: tableId, tableId, score: 0.9, why: 'its columns tell it' };
      spans.push({ from, to, score: PHRASE_SCORE, nouns: [noun], values: [], meaning, isDefined: true });
    }
  return spans;
}

/** Tables by one word or two, those that are named well. */
function namedTables(tokens: readonly Token[], { names }: GroundedKnowledge): readonly string[] {
  const found = tokens.flatMap(({ lower }, at) =>
    [[lower], [lower, tokens[at + 1]?.lower ?? '']].flatMap((words) =>
      names
        .match(words)
        .filter(({ score, tableId }) => score >= NAMED && tableId !== '')
        .filter(({ kind }) => kind !== 'column' && kind !== 'dimension')
        .map(({ tableId }) => tableId),
    ),
  );
  return [...new Set(found)];
}

/** What the metrics that are named go by: deliveries by the day on which they came. */
function measuredDates(tokens: readonly Token[], { names, semantics }: GroundedKnowledge): readonly string[] {
  const found = tokens.flatMap(({ lower }, at) =>
    [[lower], [lower, tokens[at + 1]?.lower ?? '']].flatMap((words) =>
      names.match(words).filter(({ kind, score }) => kind === 'metric' && score >= NAMED),
    ),
  );
  const dates = found.flatMap(
    ({ id }) => semantics.metrics.find(({ name }) => name === id)?.timeColumn ?? [],
  );
  return [...new Set(dates)];
}

const NAMED = 0.85;
