import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import type { Boundary } from '../../reasoning/roles/reading.ts';
import type { Request } from '../question/normalise-question.ts';
import { isPartOfValue, type ValueColumns } from '../question/stands-for-value.ts';
import { inflectedPattern, quoted, wordPattern } from '../question/word-pattern.ts';

/** Words the semantic model lists as things this database does not hold, the longest first. */
export function outOfScope(
  request: Request,
  semantics: SemanticModel,
  columnsOf: ValueColumns = () => [],
): Boundary | null {
  const terms = [...semantics.outOfScope].sort((a, b) => b.term.length - a.term.length);
  const found = terms.find(({ term }) => {
    const match = inflectedPattern(term, request.text).exec(request.text);
    // "allocated to production" may be a status that is stored.
    return match !== null && !isPartOfValue(request.text, match, semantics, columnsOf);
  });
  if (found === undefined) return null;
  const { term, why } = found;
  return {
    kind: 'reject',
    reason: isSplit(request.text, term, semantics) ? 'dimension' : 'metric',
    cause: 'absent',
    missing: term,
    message: `“${term}” is not in this database: ${why}`,
    nearest: semantics.metrics.slice(0, 5).map((metric) => metric.name),
  };
}

/** "orders by colour" lacks a dimension; "our profit by brand" lacks the figure itself. */
function isSplit(text: string, term: string, semantics: SemanticModel): boolean {
  const escaped = quoted(term);
  if (new RegExp(`\\b(?:by|per|each|every|across)\\s+(?:\\p{L}+\\s+){0,2}${escaped}`, 'iu').test(text))
    return true;
  // "the profit of dealers": the term is the figure, whatever it is of.
  if (new RegExp(`${escaped}s?\\s+(?:of|by|per|for|from|in)\\b`, 'iu').test(text)) return false;
  const names = semantics.metrics.flatMap((metric) => [metric.name, ...metric.synonyms]);
  return names.some((name) => !wordPattern(term, name).test(name) && wordPattern(name, text).test(text));
}
