import type { Metric, SemanticModel } from '../../../../knowledge/semantic/index.ts';
import { nearestNames } from '../../../../language/index.ts';
import { adjacentPhrases } from '../../../roles/adjacent-phrases.ts';
import type { SeenBoundary, UnreadWords } from '../../../roles/reading.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { WHOLE_NAME } from '../../question/mention/mention.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';

/** Words beside a metric that nothing explains and that make another figure of it: "luxury orders". */
export function undefinedFigure(frame: MetricFrame, { semantics }: GroundedKnowledge): UnreadWords | null {
  const unknown = frame.unknown.find(({ place }) => place === 'metric');
  return unknown === undefined ? null : unreadFigure([unknown.text], semantics);
}

/** A part of a metric's name. */
const HALF_NAMED = 0.6;

/** "list price" is all of a column's name: it is no half of a figure's. */
function isOpen({ from, to, nouns: [best] }: Mention): boolean {
  return to - from < 2 || best?.kind !== 'column' || best.score < WHOLE_NAME;
}

const YES_OR_NO = /^(?:did|do|does|have|has|are|is|were|was) (?:we|our|they|the)\b/i;

const MEASURE_HEAD =
  /^(?:what (?:is|was|were|are)|how (?:many|much|high|big|large)|show|give me|list|which|tell me|compare)\b/i;

/** A question for a figure that no metric carries: its words are unread, or asked back when they half-name some. */
export function undefinedMetric(
  question: string,
  mentions: readonly Mention[],
  semantics: SemanticModel,
): SeenBoundary | null {
  if (semantics.metrics.length === 0) return null;
  const partial = mentions
    .filter(isOpen)
    .flatMap((mention) =>
      mention.nouns
        .filter((noun) => noun.kind === 'metric' && noun.score >= HALF_NAMED)
        .map((noun) => ({ mention, metric: noun.id })),
    );
  const unknown = mentions.filter((mention) => mention.isUnknown && !mention.isVerbLike);
  const isNounKnown = mentions.some(
    (mention) =>
      mention.cue === undefined && mention.nouns.some((noun) => noun.kind === 'table' && noun.score >= 0.85),
  );
  // "did we reach our targets" asks for a figure to judge by, not for rows.
  const isJudged = YES_OR_NO.test(question) && partial.length > 0;
  if (unknown.length === 0 && isNounKnown && !isJudged) return null;
  // "singers per gender": the table is known, the grouping is not; that is said better over the tables.
  const isGrouping = unknown.every((mention) => mentions[mention.index - 1]?.cue?.kind === 'group');
  if (isNounKnown && isGrouping && !isJudged) return null;
  const [first] = partial;
  if (first !== undefined && unknown.length === 0) {
    const names = [
      ...new Set(partial.filter((item) => item.mention === first.mention).map((item) => item.metric)),
    ].slice(0, 5);
    return {
      kind: 'clarify',
      gap: 'metric',
      phrase: first.mention.text,
      ask: `Which figure do you mean by “${first.mention.text}”?`,
      options: names.map((name) => ({
        label: name,
        question: question.replace(first.mention.text, () => name),
      })),
    };
  }
  const [lead] = mentions.filter((mention) => mention.cue?.kind !== 'stop');
  if (unknown.length === 0 || !(MEASURE_HEAD.test(question) || lead === unknown[0])) return null;
  return unreadFigure(adjacentPhrases(unknown, question), semantics);
}

function unreadFigure(phrases: readonly string[], semantics: SemanticModel): UnreadWords {
  const names = semantics.metrics.map((metric: Metric) => metric.name);
  return {
    kind: 'unread',
    reason: 'metric',
    use: 'figure',
    phrases,
    suggested: nearestTo(phrases.join(' '), names),
  };
}

/** Names that share a word come first, then those spelt alike. */
export function nearestTo(text: string, names: readonly string[]): string[] {
  const words = text.toLowerCase().split(/\s+/);
  const sharing = names.filter((name) =>
    words.some((word) => word.length > 3 && name.toLowerCase().includes(word)),
  );
  return [...new Set([...sharing, ...nearestNames(text, names, 5)])].slice(0, 5);
}
