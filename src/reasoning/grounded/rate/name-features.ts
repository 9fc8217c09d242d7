import { splitName } from '../../../language/index.ts';
import type { Mention } from '../question/mention/mention.ts';
import { isKey } from '../resolve/bind-projection.ts';
import type { Candidate, ReadQuestion } from './candidate.ts';
import { COLUMN_ROLES, type ColumnRole } from './query-traits.ts';

const ROLES = COLUMN_ROLES.filter((role) => role !== 'join');

export const NAME_FEATURES = [
  ...ROLES.flatMap((role) => [`${role} names`, `${role} invented`]),
  'names',
  'least name',
  'invented',
  'better named',
  'words of names',
  'shown keys',
  'shown of subject',
  'value columns',
] as const;

/** Names worse than this count as not named. */
const NAMED = 0.6;

/** How well the question names the columns that a candidate uses, by what it uses them for. */
export function nameFeatures(
  { traits, draft: { bound } }: Candidate,
  question: ReadQuestion,
  set: (name: (typeof NAME_FEATURES)[number], value: number) => void,
): void {
  const standing = standingOf(question);
  const words = new Set(question.tokens.map(({ lemma }) => lemma));
  let sum = 0;
  let least = 1;
  let invented = 0;
  let better = 0;
  const overlap = { found: 0, all: 0 };
  for (const role of ROLES) {
    const own = { sum: 0, count: 0, invented: 0 };
    for (const id of columnsIn(traits.columns, role)) {
      const { score, gap } = standing.get(id) ?? NOT_NAMED;
      own.sum += score;
      own.count += 1;
      if (score < NAMED) own.invented += 1;
      better += gap;
      least = Math.min(least, score);
      for (const word of splitName(id.slice(id.lastIndexOf('.') + 1))) {
        overlap.all += 1;
        if (words.has(word)) overlap.found += 1;
      }
    }
    set(`${role} names`, own.count === 0 ? 1 : own.sum / own.count);
    set(`${role} invented`, own.invented);
    sum += own.sum;
    invented += own.invented;
  }
  set('names', sum);
  set('least name', least);
  set('invented', invented);
  set('better named', better);
  set('words of names', overlap.all === 0 ? 1 : overlap.found / overlap.all);
  const shown = bound.projections.flatMap(({ column }) => column ?? []);
  set('shown keys', shown.filter((column) => isKey(column, question.context)).length);
  set('shown of subject', shown.filter(({ tableId }) => tableId === bound.subject).length);
  set(
    'value columns',
    bound.filters.reduce((most, { score }) => Math.min(most, score), 1.2),
  );
}

function columnsIn(columns: ReadonlyMap<string, ReadonlySet<ColumnRole>>, role: ColumnRole): string[] {
  return [...columns].flatMap(([id, roles]) => (roles.has(role) ? [id] : []));
}

interface Standing {
  /** How well the question names the column, at best. */
  readonly score: number;
  /** How much better the same words name another. */
  readonly gap: number;
}

const NOT_NAMED: Standing = { score: 0, gap: 0 };
const known = new WeakMap<readonly Mention[], ReadonlyMap<string, Standing>>();

function standingOf({ mentions }: ReadQuestion): ReadonlyMap<string, Standing> {
  const before = known.get(mentions);
  if (before !== undefined) return before;
  const standing = new Map<string, Standing>();
  const add = (id: string, score: number, best: number): void => {
    if (score > (standing.get(id)?.score ?? 0)) standing.set(id, { score, gap: best - score });
  };
  for (const { nouns, values } of mentions) {
    const best = Math.max(0, ...nouns.map(({ score }) => score));
    for (const noun of nouns) if (noun.kind === 'column') add(noun.id, noun.score, best);
    const sure = Math.max(0, ...values.map(({ score }) => score));
    for (const value of values) add(value.columnId, value.score, sure);
  }
  known.set(mentions, standing);
  return standing;
}
