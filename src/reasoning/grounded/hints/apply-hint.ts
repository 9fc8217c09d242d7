/** The one door of the hints: what a hint changes for one question. */
import type { Assumption } from '../../../answer.ts';
import type { GroundedKnowledge } from '../knowledge.ts';
import type { Mention } from '../mention/mention.ts';
import type { SchemaGraph } from '../plan/schema-graph.ts';
import type { Token } from '../read/tokenise.ts';
import { defineWords } from './define-words.ts';
import type { DefinedSpan } from './defined-span.ts';
import type { Definition } from './definition.ts';
import { preferJoins } from './prefer-joins.ts';
import { readHint } from './read-hint.ts';
import { tablesOf } from './tables-of.ts';

export interface AppliedHint {
  /** Spans of the question that the hint explains. */
  readonly spans: readonly DefinedSpan[];
  /** Conditions without words in the question, as mentions behind the last one. */
  readonly unsaid: (mentions: readonly Mention[]) => Mention[];
  /** Tables that the explained words speak of. */
  readonly tables: readonly string[];
  /** Keys that the hint names win over their rivals. */
  readonly graph: SchemaGraph;
  /** What of the hint was not understood. */
  readonly assumptions: readonly Assumption[];
}

/** Reads a hint for a question; without one nothing changes. */
export function applyHint(
  hint: string | undefined,
  tokens: readonly Token[],
  { knowledge, now }: { readonly knowledge: GroundedKnowledge; readonly now: Date },
): AppliedHint {
  if (hint === undefined)
    return { spans: [], unsaid: () => [], tables: [], graph: knowledge.graph, assumptions: [] };
  const { definitions, unread } = readHint(hint, knowledge, { now, named: namedTables(tokens, knowledge) });
  const { spans, unsaid, used } = defineWords(definitions, tokens, knowledge);
  return {
    spans,
    unsaid: (mentions) => unsaid.map((definition, at) => toMention(definition, at, mentions)),
    tables: used.flatMap(tablesOf),
    graph: preferJoins(knowledge.graph, definitions),
    assumptions: unread.map(({ text }) => ({
      kind: 'hint',
      text: `Of the hint, “${text}” was not understood and not used.`,
    })),
  };
}

function namedTables(tokens: readonly Token[], { names }: GroundedKnowledge): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ lower }) =>
      names
        .match([lower])
        .filter(({ kind, score }) => kind === 'table' && score >= 0.85)
        .map(({ tableId }) => tableId),
    ),
  );
}

/** As if the condition were said at the end of the question. */
function toMention(definition: Definition, at: number, said: readonly Mention[]): Mention {
  const last = said.at(-1);
  const [to, end] = [last?.to ?? 0, last?.span.end ?? 0];
  return {
    ...{ index: said.length + at, from: to, to, span: { start: end, end }, text: definition.text },
    ...{ score: 1, nouns: [], values: [], meaning: definition.meaning },
    ...{ isQuoted: false, isUnknown: false, isVerbLike: false, isPossessed: false },
    ...{ isSentenceEnd: false, isComma: false },
  };
}
