import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import type { Boundary } from '../../reasoning/roles/reading.ts';
import type { Request } from '../question/normalise-question.ts';
import { standsForValue, type ValueColumns } from '../question/stands-for-value.ts';
import { inflectedPattern, wordPattern } from '../question/word-pattern.ts';

/** Words the semantic model says must be asked about, longest first ("sales performance" before "sales"). */
export function vagueTerm(
  request: Request,
  semantics: SemanticModel,
  columnsOf: ValueColumns = () => [],
): Boundary | null {
  const named = [...semantics.metrics, ...semantics.dimensions].flatMap((item) => [
    item.name,
    ...item.synonyms,
  ]);
  for (const vague of [...semantics.vagueTerms].sort((a, b) => b.term.length - a.term.length)) {
    const pattern = wordPattern(vague.term, request.text);
    const match = pattern.exec(request.text);
    if (match === null) continue;
    // "sales target" is a term of its own; only the bare "sales" is vague.
    if (named.some((name) => covers(name, vague.term) && wordPattern(name, request.text).test(request.text)))
      continue;
    if (named.some((name) => holds(name, match))) continue;
    if (standsForValue(request.text, match, semantics, columnsOf)) continue;
    const phrase = match[0];
    const options = vague.options.map((label) => ({
      label,
      question: restate(request.text.replace(pattern, () => label)),
    }));
    return { kind: 'clarify', gap: vague.gap, phrase, ask: vague.ask, options };
  }
  return null;
}

/** "how were revenue in 2024?" → "show revenue in 2024" */
function restate(question: string): string {
  const asked = /^how (?:is|was|are|were|did|do|does) (?:our |the )?/i;
  if (!asked.test(question)) return question;
  return question
    .replace(asked, 'show ')
    .replace(/\b(?:doing|do|perform|performing|develop|look|looking)\b\s*/gi, '')
    .replace(/[?\s]+$/, '');
}

/** "points of sales": the words stand inside a name in the plural. */
function holds(name: string, { index, input, 0: term }: RegExpExecArray): boolean {
  const found = name.length > term.length ? inflectedPattern(name, input).exec(input) : null;
  return (
    found !== null &&
    found.index <= index &&
    found.index + found[0].length >= index + term.length &&
    found[0].length > term.length
  );
}

function covers(name: string, term: string): boolean {
  return name.length > term.length && wordPattern(term, name).test(name);
}
