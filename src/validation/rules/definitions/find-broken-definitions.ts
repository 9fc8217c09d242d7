/** What people have defined and a query does not keep to, read off its tree: each with the definition it breaks. */
import type { ReadQuery, SchemaFacts } from '../../../faults/index.ts';
import type { SemanticModel } from '../../../knowledge/index.ts';
import { nearestWord } from '../../../reasoning/index.ts';
import type { Problem } from '../../problem.ts';
import { aliasedMetrics } from './aliased-metrics.ts';
import { brokenStates } from './asked-states.ts';
import { brokenDefaults } from './default-conditions.ts';
import { brokenRoles } from './join-roles.ts';
import { brokenMetricConditions } from './metric-conditions.ts';
import { brokenFormulas } from './metric-formulas.ts';
import { brokenSpans, brokenTimes } from './metric-times.ts';
import { type NamedMetric, namedMetrics } from './named-metrics.ts';
import { QueryUses } from './query-uses.ts';
import { QuestionWords, wordsOf } from './question-words.ts';
import { turnedReferences } from './self-references.ts';
import { brokenValues } from './stored-values.ts';

export interface Definitions {
  readonly semantics: SemanticModel;
  /** What the query is to answer; absent: only what holds for every question is looked at. */
  readonly question?: string | undefined;
}

/**
 * A default condition that is not applied to a use of its table; a metric that the question names without its conditions, by another time
 * or another formula; a word that stands for a stored value, not compared with it; a join by another role than the question or a
 * dimension takes. A question may switch any of them off by naming what it wants instead.
 */
export function findBrokenDefinitions(
  query: ReadQuery,
  schema: SchemaFacts,
  { semantics, question = '' }: Definitions,
): readonly Problem[] {
  const uses = new QueryUses(query, schema, semantics);
  const words = new QuestionWords(inPlainWords(question, semantics));
  const readings = question === '' ? [] : namedMetrics(words, semantics);
  const aliased = question === '' ? [] : aliasedMetrics(uses, readings);
  const found = [
    ...brokenDefaults(uses, words),
    ...(question === '' ? [] : brokenInEvery(readings, uses, words)),
    ...brokenMetricConditions(aliased, uses, words),
    ...(aliased.length === 0 ? [] : brokenTimes(aliased, uses, words)),
    ...brokenFormulas(aliased, uses, words),
  ];
  return [...new Set(found)].map((text) => ({ kind: 'definition', severity: 'warning', text, instead: [] }));
}

/** Where a question may mean one metric or another, the query has to break what both are defined with. */
function brokenInEvery(
  readings: readonly (readonly NamedMetric[])[],
  uses: QueryUses,
  words: QuestionWords,
): readonly string[] {
  const broken = readings.map((metrics) => [
    ...brokenMetricConditions(metrics, uses, words),
    ...brokenTimes(metrics, uses, words),
    ...brokenSpans(uses, words),
    ...brokenFormulas(metrics, uses, words),
    ...brokenValues(metrics, uses, words),
    ...brokenRoles(metrics, uses, words),
    ...turnedReferences(uses, words),
    ...brokenStates(uses, words),
  ]);
  return broken.reduce((least, one) => (one.length < least.length ? one : least));
}

/** Words of the trade mean what they stand for, and a word one letter away from a name is that name. */
function inPlainWords(question: string, semantics: SemanticModel): string {
  const meanings = new Map(semantics.jargon.map(({ term, meaning }) => [term.toLowerCase(), meaning]));
  const known = namesIn(semantics);
  // Texts longer than a question are taken as they are spelt.
  const isShort = question.length <= LONGEST_SPELT;
  return question.replace(/[\p{L}\p{N}]+/gu, (word) => {
    const meaning = meanings.get(word.toLowerCase());
    // A capital begins a name, which nobody here knows.
    const near =
      isShort && meaning === undefined && /^\p{Ll}+$/u.test(word) ? nearestWord(word, known) : undefined;
    // “employed” is no “employee”.
    return meaning ?? (near?.at(-1) === word.at(-1) ? near : undefined) ?? word;
  });
}

const LONGEST_SPELT = 2_000;

function namesIn(semantics: SemanticModel): ReadonlySet<string> {
  const { metrics, dimensions, datasets, valueMappings, relationships, fields = [] } = semantics;
  const names = [
    ...relationships.flatMap(({ role = '', synonyms }) => [role, ...synonyms]),
    ...[...metrics, ...dimensions, ...datasets, ...fields].flatMap(({ name, synonyms }) => [
      name,
      ...synonyms,
    ]),
    ...valueMappings.flatMap(({ surface }) => surface),
  ];
  const words = names
    .flatMap((name) => wordsOf(name))
    .flatMap(({ raw, plain }) => [raw.toLowerCase(), plain]);
  return new Set(words.flatMap((word) => [word, `${word}s`]));
}
