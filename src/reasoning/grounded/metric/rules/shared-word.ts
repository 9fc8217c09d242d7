import type { Dimension } from '../../../../knowledge/semantic/index.ts';
import { lemmaOf } from '../../../../language/index.ts';
import type { Boundary } from '../../../roles/reading.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { routeTo } from '../bind/metric-route.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';

const MOST_OPTIONS = 5;

/** "by type", where body type and energy type are dimensions: half a name that several have, so which is asked. */
export function sharedWord(
  question: string,
  frame: MetricFrame,
  { mentions, knowledge }: { readonly mentions: readonly Mention[]; readonly knowledge: GroundedKnowledge },
): Boundary | null {
  for (const { text, mention } of frame.unknown) {
    // "blood types" and "dealer type" say more than the word that others share.
    if (isBehindName(mentions[mention.index - 1])) continue;
    const word = lemmaOf(text.split(/\s+/).at(-1)?.toLowerCase() ?? '');
    const sharing = knowledge.semantics.dimensions.filter(
      (dimension) => endsIn(dimension, word) && isReached(dimension, frame, knowledge),
    );
    if (sharing.length < 2) continue;
    const phrase = mention.text;
    return {
      kind: 'clarify',
      gap: 'term',
      phrase,
      ask: `Which “${phrase}” do you mean?`,
      options: sharing.slice(0, MOST_OPTIONS).map(({ name }) => ({
        label: name,
        question: question.slice(0, mention.span.start) + name + question.slice(mention.span.end),
      })),
    };
  }
  return null;
}

function isBehindName(before: Mention | undefined): boolean {
  if (before === undefined || before.cue !== undefined || before.isComma) return false;
  return before.isUnknown || before.nouns.length > 0;
}

function endsIn({ name }: Dimension, word: string): boolean {
  const words = name.toLowerCase().split(/[\s_]+/);
  return words.length > 1 && lemmaOf(words.at(-1) ?? '') === word;
}

/** By every part of every figure asked for. */
function isReached(dimension: Dimension, { metrics }: MetricFrame, knowledge: GroundedKnowledge): boolean {
  const parts = metrics.flatMap(({ metric }) =>
    metric.ratio === undefined
      ? [metric]
      : knowledge.semantics.metrics.filter(({ name }) =>
          [metric.ratio?.numerator, metric.ratio?.denominator].includes(name),
        ),
  );
  return parts.every((part) => routeTo(part, dimension.table, dimension, [], knowledge) !== null);
}
