import type { Metric, SemanticModel } from '../../../knowledge/index.ts';
import type { Mention } from '../mention/mention.ts';
import { stemOf } from '../read/lemma.ts';

/** What makes a thing of a verb: a shipment is what was shipped, a delivery what was delivered. */
const ENDINGS = /^(?:ment|al|ing|er?y|i|ion|ation|e|at|s)?$/;

/** "never shipped anything", "did not order": the metric of things that the verb makes, by a name of one word. */
export function verbMetric({ text, isVerbLike }: Mention, { metrics }: SemanticModel): Metric | undefined {
  const verb = stemOf(text.toLowerCase());
  if (!isVerbLike || verb.length < 4) return undefined;
  return metrics.find(({ name, synonyms, ratio }) =>
    [name, ...synonyms].some((one) => {
      if (ratio !== undefined || /\s/.test(one.trim())) return false;
      const stem = stemOf(one.toLowerCase());
      return stem.startsWith(verb) && ENDINGS.test(stem.slice(verb.length));
    }),
  );
}
