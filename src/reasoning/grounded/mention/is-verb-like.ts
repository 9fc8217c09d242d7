import type { Token } from '../read/tokenise.ts';
import { isMostlyVerb } from '../vocabulary/index.ts';

/** Verbs that say how two things belong together; the schema's keys say it too. */
const RELATIONS = new Set(
  'belong appear play star live work own contain cost rent sell buy order teach study attend visit perform produce direct publish win lead speak use make have spend earn pay hold serve offer cover join sign report receive bring come go run look see saw reach achieve generate attract contribute'.split(
    ' ',
  ),
);

const PARTICIPLES = new Set(
  'taken given written driven spoken chosen broken fallen known shown grown drawn born held sold bought paid spent sent made built kept left met led won lost taught caught thought sung run come gone'.split(
    ' ',
  ),
);

/** Whether a verb in its base form is one of those that say no more than that two things belong together. */
export function isRelationVerb(lemma: string): boolean {
  return RELATIONS.has(lemma);
}

/** "the churn rate": a word that is mostly a verb is a noun behind these. */
const BEFORE_NOUNS = /^(?:the|an?|our|your|their|its|his|her|of|per|each|every)$/;

/** Whether a word that names nothing reads like a verb: by itself, or by the word before it. */
export function isVerbLike(token: Token | undefined, before: Token | undefined): boolean {
  if (token === undefined || token.kind !== 'word' || token.lower.includes('-')) return false;
  if (
    RELATIONS.has(token.lemma) ||
    (isMostlyVerb(token.lower) && !BEFORE_NOUNS.test(before?.lower ?? '')) ||
    /(ed|ing)$/.test(token.lower) ||
    PARTICIPLES.has(token.lower)
  )
    return true;
  return (
    before !== undefined &&
    /^(that|who|which|do|does|did|have|has|had|to|not|never|they|we|he|she|it)$/.test(before.lower)
  );
}
