import type { SemanticModel } from '../../../../knowledge/semantic/index.ts';
import type { Boundary } from '../../../roles/reading.ts';
import type { Mention } from '../../question/mention/mention.ts';

/** Words that judge without saying by what; "oldest" and "cheapest" name their measure. */
const JUDGEMENT =
  /\b(?:(?:most|least) successful|best|worst|strongest|weakest|leading|top(?= \d| [a-z]+(?: [a-z]+)?\s*(?:[?.]|$))|bottom(?= \d))\b/i;

/** "top 3 dealers by …", "best selling", "best rated": what it is judged by is said. */
const MEASURED =
  /\b(?:by|in terms of|according to|based on|regarding)\b|\b(?:best|worst|top)[- ](?:sell|rat|pa(?:y|id))/i;

const MOST_OPTIONS = 5;

/** "Which dealer was the best in 2024?", "show me the top 3 regions": a ranking of things by no figure. */
export function unmeasuredRanking(
  question: string,
  mentions: readonly Mention[],
  { metrics }: SemanticModel,
): Boundary | null {
  const match = JUDGEMENT.exec(question);
  if (match === null || MEASURED.test(question)) return null;
  const isOfThings = mentions.some(({ nouns }) =>
    nouns.some(({ kind, score }) => kind === 'dimension' && score >= 0.85),
  );
  const plain = metrics.filter(
    ({ ratio, mandatoryDimensions }) => ratio === undefined && mandatoryDimensions.length === 0,
  );
  if (!isOfThings || plain.length === 0) return null;
  const [phrase] = match;
  const base = question.replace(/[?.!\s]+$/, '');
  return {
    kind: 'clarify',
    gap: 'intent',
    phrase,
    ask: `“${phrase}” by which figure?`,
    options: plain
      .slice(0, MOST_OPTIONS)
      .map(({ name }) => ({ label: name, question: `${base} by ${name}` })),
  };
}
