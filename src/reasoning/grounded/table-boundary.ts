import type { Option } from '../../answer.ts';
import { nearestNames } from '../../language/index.ts';
import type { Boundary, SeenBoundary, UnreadWords } from '../roles/reading.ts';
import type { Frame } from './compose/frame/frame.ts';
import type { GroundedKnowledge } from './knowledge/knowledge.ts';
import type { Mention } from './question/mention/mention.ts';
import { isNumeric } from './resolve/noun-candidates.ts';

/**
 * What a question about tables cannot be answered for, seen before any SQL: a grouping or a figure that no
 * column carries is refused, "the best customers" without a figure is asked back.
 */
export function tableBoundary(
  question: string,
  mentions: readonly Mention[],
  frame: Frame,
  isReadable: boolean,
  knowledge: GroundedKnowledge,
): SeenBoundary | null {
  return (
    missingGroup(mentions, frame, knowledge) ??
    missingMeasure(mentions, frame, knowledge) ??
    (isReadable ? null : vagueRanking(question, frame, knowledge))
  );
}

function isUnexplained(mention: Mention | undefined, frame: Frame): mention is Mention {
  return mention?.isUnknown === true && !mention.isVerbLike && !frame.used.has(mention.index);
}

/** "per gender" where nothing is called gender. */
function missingGroup(
  mentions: readonly Mention[],
  frame: Frame,
  knowledge: GroundedKnowledge,
): UnreadWords | null {
  const missing = mentions.find(
    (mention, index) => isUnexplained(mention, frame) && mentions[index - 1]?.cue?.kind === 'group',
  );
  if (missing === undefined) return null;
  return {
    kind: 'unread',
    reason: 'dimension',
    use: 'split',
    phrases: [missing.text],
    suggested: nearestColumns(missing.text, knowledge),
  };
}

/** "the average review score" where nothing is called so. */
function missingMeasure(
  mentions: readonly Mention[],
  frame: Frame,
  knowledge: GroundedKnowledge,
): UnreadWords | null {
  const missing = mentions.filter((mention, index) => {
    const lead = [mentions[index - 1], mentions[index - 2]].find((other) => other?.cue?.kind !== 'stop');
    return isUnexplained(mention, frame) && lead?.cue?.kind === 'aggregate';
  });
  const [first] = missing;
  if (first === undefined) return null;
  return {
    kind: 'unread',
    reason: 'metric',
    use: 'figure',
    phrases: [first.text],
    suggested: nearestColumns(first.text, knowledge),
  };
}

function nearestColumns(text: string, knowledge: GroundedKnowledge): string[] {
  const names = knowledge.catalog.tables.flatMap((table) => table.columns.map((column) => column.name));
  return [...nearestNames(text, [...new Set(names)], 4)];
}

/** "our best customers": best by what? The figures of the table and what it has many of. */
function vagueRanking(question: string, frame: Frame, knowledge: GroundedKnowledge): Boundary | null {
  const order = frame.orders.find((item) => item.isSuperlative && item.noun === undefined);
  const subject = [...frame.projections.flatMap((item) => item.noun ?? []), ...frame.contexts].flatMap(
    (mention) => mention.nouns.filter((noun) => noun.kind === 'table' && noun.score >= 0.8),
  )[0];
  if (order === undefined || subject === undefined) return null;
  const table = knowledge.graph.table(subject.tableId);
  const keys = new Set([
    ...table.primaryKey,
    ...knowledge.graph.edges(table.id).flatMap((edge) => edge.fromColumns),
  ]);
  const columns = table.columns
    .filter((column) => isNumeric(column) && !keys.has(column.id))
    .map((column) => `with the ${order.direction === 'desc' ? 'highest' : 'lowest'} ${column.name}`);
  const children = knowledge.graph
    .edges(table.id)
    .filter((edge) => edge.multiplies)
    .map(
      (edge) =>
        `with the ${order.direction === 'desc' ? 'most' : 'fewest'} ${knowledge.graph.table(edge.to).name}`,
    );
  const labels = [...new Set([...children, ...columns])].slice(0, 5);
  if (labels.length < 2) return null;
  const phrase = order.mention.text;
  const base = question
    .replace(phrase, '')
    .replace(/[?.!\s]+$/, '')
    .replace(/\s+/g, ' ');
  const options: Option[] = labels.map((label) => ({ label, question: `${base} ${label}` }));
  return { kind: 'clarify', gap: 'term', phrase, ask: `“${phrase}” by which figure?`, options };
}
