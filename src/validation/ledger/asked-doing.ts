/** "How much money did each of them collect?": a verb at the end of a clause whose object is what is asked for. */
import type { Ledger } from './ledger.ts';
import { isParticiple, PREPOSITIONS, wordAt } from './verbs.ts';

/** "How much money did each of them collect?", "Which country is it affiliated with?" */
export function isAskedDoing(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const isStranded = PREPOSITIONS.test(wordAt(tokens, from + 1));
  const after = tokens[isStranded ? from + 2 : from + 1];
  if (!(after === undefined || after.kind === 'stop' || after.kind === 'comma')) return false;
  const before = tokens.slice(0, from).map(({ lower }) => lower);
  if (isDone(before)) return true;
  if (endsClause(from, before, content)) return true;
  // "the type that most of them belong to"
  if (isStranded && content.has(from - 1) && !isParticiple(wordAt(tokens, from))) return true;
  // What it is said of stands between the two: "which singers are insured" tells of some.
  return isStranded && content.has(from - 1) && before.findLastIndex(isBe) > 0;
}

/** "When was the last one released?" */
export function isAskedWhen(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const after = tokens[from + 1];
  if (!(after === undefined || after.kind === 'stop' || after.kind === 'comma')) return false;
  const before = tokens.slice(0, from).map(({ lower }) => lower);
  const be = before.findLastIndex(isBe);
  return (
    be > 0 && content.has(from - 1) && before.slice(0, be).some((lower) => /^(?:when|where)$/.test(lower))
  );
}

function isBe(lower: string): boolean {
  return /^(?:is|are|was|were)$/.test(lower);
}

/** "did each of them collect": who does it stands between the two; "which customers do not smoke" and "did customers who smoke" tell of some. */
function isDone(before: readonly string[]): boolean {
  const does = before.findLastIndex((lower) => /^(?:do|does|did|has|have|had)$/.test(lower));
  const between = before.slice(does + 1);
  return (
    does >= 0 &&
    between.some((lower) => !/^(?:not|never|also|really|actually)$/.test(lower)) &&
    !between.some((lower) => /^(?:who|that|which|whom)$/.test(lower))
  );
}

/** "the category to which the film belongs": a clause about what stands before it, with somebody else who does it. */
function endsClause(from: number, before: readonly string[], content: Ledger['content']): boolean {
  const pronoun = before.findLastIndex((lower) => /^(?:that|which|whom)$/.test(lower));
  const isRelative = content.has(pronoun - 1) || PREPOSITIONS.test(before[pronoun - 1] ?? '');
  return pronoun > 0 && isRelative && pronoun < from - 1 && content.has(from - 1);
}
