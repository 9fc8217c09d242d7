/** What people have defined and a query does not keep to, read off its tree: each with the definition it breaks. */
import type { ReadQuery, SchemaFacts } from '../../../faults/index.ts';
import type { SemanticModel } from '../../../knowledge/index.ts';
import type { Problem } from '../../problem.ts';
import { brokenDefaults } from './default-conditions.ts';
import { brokenRoles } from './join-roles.ts';
import { brokenMetricConditions } from './metric-conditions.ts';
import { brokenFormulas } from './metric-formulas.ts';
import { brokenTimes } from './metric-times.ts';
import { namedMetrics } from './named-metrics.ts';
import { QueryUses } from './query-uses.ts';
import { QuestionWords } from './question-words.ts';
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
  const metrics = namedMetrics(words, semantics);
  const found = [
    ...brokenDefaults(uses, words),
    ...(question === ''
      ? []
      : [
          ...brokenMetricConditions(metrics, uses, words),
          ...brokenTimes(metrics, uses, words),
          ...brokenFormulas(metrics, uses, words),
          ...brokenValues(metrics, uses, words),
          ...brokenRoles(metrics, uses, words),
        ]),
  ];
  return [...new Set(found)].map((text) => ({ kind: 'definition', severity: 'warning', text, instead: [] }));
}

/** Words of the trade mean what they stand for. */
function inPlainWords(question: string, { jargon }: SemanticModel): string {
  const meanings = new Map(jargon.map(({ term, meaning }) => [term.toLowerCase(), meaning]));
  return question.replace(/[\p{L}\p{N}]+/gu, (word) => meanings.get(word.toLowerCase()) ?? word);
}
