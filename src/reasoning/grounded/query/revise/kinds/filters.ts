import type { Comparison } from '../../../../../sql/print/index.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import { besideOf } from '../../../resolve/bind-filter.ts';
import type { BoundFilter } from '../../../resolve/bound.ts';
import { columnChoices, isNumeric } from '../../../resolve/noun-candidates.ts';
import { type Change, type Draft, type Revision, type RevisionView, replaceAt } from './draft.ts';

const MOST_COLUMNS = 3;
const NAMED = 0.6;

/** Which rows: other columns for a value, conditions more or fewer, other comparisons, and or or. */
export const FILTER_REVISIONS: readonly Revision[] = [
  { name: 'find the value in another column', revise: otherColumn },
  { name: 'drop a condition', revise: fewer },
  { name: 'add a condition', revise: more },
  { name: 'compare otherwise', revise: otherComparison },
  { name: 'negate a condition', revise: negated },
  { name: 'contains, not equals', revise: contains },
  { name: 'join conditions otherwise', revise: otherConnective },
];

function keep(filters: readonly BoundFilter[]): Change {
  return { bound: { filters } };
}

function otherColumn({ bound: { filters } }: Draft, { context }: RevisionView): Change[] {
  return filters.flatMap((filter, place) => {
    const literal = filter.operands.length === 1 ? filter.operands[0] : undefined;
    if (literal?.kind !== 'literal') return [];
    const stored = valuesOf(filter, literal.value)
      .slice(0, MOST_COLUMNS)
      .map((match) => ({
        column: context.graph.column(match.columnId),
        score: match.score,
        value: match.value,
        beside: besideOf([match], context.graph),
      }));
    const isNumber = typeof literal.value === 'number';
    const named = columnChoices(filter.mention, context, (column) => !isNumber || isNumeric(column))
      .filter(({ score }) => score >= NAMED)
      .slice(0, MOST_COLUMNS)
      .map((choice) => ({ ...choice, value: literal.value, beside: undefined }));
    return [...stored, ...named]
      .filter(({ column }) => column.id !== filter.column.id)
      .map(({ column, score, value, beside }) => {
        const operands = [{ kind: 'literal' as const, value }];
        return keep(replaceAt(filters, place, { ...filter, column, score, operands, beside }));
      });
  });
}

/** The same value where the index holds it elsewhere. */
function valuesOf({ mention, column }: BoundFilter, value: string | number) {
  return mention.values.filter(
    (match) =>
      match.columnId !== column.id && String(match.value).toLowerCase() === String(value).toLowerCase(),
  );
}

function fewer({ bound: { filters } }: Draft): Change[] {
  return filters.map((_, place) => keep(replaceAt(filters, place)));
}

/** A stored value or a number that the draft says nothing of. */
function more({ bound }: Draft, view: RevisionView): Change[] {
  const used = usedMentions(bound.filters);
  return view.mentions
    .filter((mention) => !used.has(mention.index) && !isNumberOfOther(mention, bound))
    .flatMap((mention) => filtersOf(mention, view))
    .filter((filter) => !bound.filters.some((other) => isSame(filter, other)))
    .slice(0, 8)
    .map((filter) => keep([...bound.filters, filter]));
}

function isSame(a: BoundFilter, b: BoundFilter): boolean {
  return (
    a.column.id === b.column.id &&
    a.operator === b.operator &&
    JSON.stringify(a.operands) === JSON.stringify(b.operands)
  );
}

function usedMentions(filters: readonly BoundFilter[]): Set<number> {
  return new Set(filters.map(({ mention }) => mention.index));
}

function isNumberOfOther({ index }: Mention, { havings }: Draft['bound']): boolean {
  return havings.some(({ mention }) => mention.index === index);
}

function filtersOf(mention: Mention, { mentions, context }: RevisionView): BoundFilter[] {
  const base = { isNegated: false, connective: 'and', mention } as const;
  const stored = mention.values.slice(0, 2).map(
    (match): BoundFilter => ({
      ...base,
      column: context.graph.column(match.columnId),
      operator: '=',
      operands: [{ kind: 'literal', value: match.value }],
      beside: besideOf([match], context.graph),
      score: match.score,
    }),
  );
  const { number } = mention;
  if (number === undefined || stored.length > 0) return stored;
  const before = mentions.filter(({ index }) => index < mention.index && index >= mention.index - 4);
  const cue = before.findLast((other) => other.cue?.kind === 'compare')?.cue;
  const operator: Comparison = cue?.kind === 'compare' ? cue.operator : '=';
  return before
    .toReversed()
    .flatMap((other) =>
      columnChoices(other, context, isNumeric)
        .filter(({ score }) => score >= NAMED)
        .slice(0, 1),
    )
    .slice(0, 2)
    .map(({ column, score }) => ({
      ...base,
      column,
      operator,
      operands: [{ kind: 'literal', value: number }],
      score,
    }));
}

const NEXT: Partial<Record<BoundFilter['operator'], readonly Comparison[]>> = {
  '>': ['>='],
  '>=': ['>'],
  '<': ['<='],
  '<=': ['<'],
};

function otherComparison({ bound: { filters } }: Draft): Change[] {
  return filters.flatMap((filter, place) =>
    (NEXT[filter.operator] ?? []).map((operator) => keep(replaceAt(filters, place, { ...filter, operator }))),
  );
}

function negated({ bound: { filters } }: Draft, { mentions }: RevisionView): Change[] {
  if (!mentions.some(({ cue }) => cue?.kind === 'not')) return [];
  return filters.map((filter, place) =>
    keep(replaceAt(filters, place, { ...filter, isNegated: !filter.isNegated })),
  );
}

function contains({ bound: { filters } }: Draft): Change[] {
  return filters.flatMap((filter, place) => {
    const [literal, second] = filter.operands;
    if (literal?.kind !== 'literal' || typeof literal.value !== 'string' || filter.column.family !== 'text')
      return [];
    if (second !== undefined) return [];
    if (filter.operator === '=')
      return [keep(replaceAt(filters, place, { ...filter, operator: 'like-anywhere' }))];
    return filter.operator === 'like-anywhere'
      ? [keep(replaceAt(filters, place, { ...filter, operator: '=' }))]
      : [];
  });
}

function otherConnective({ bound: { filters } }: Draft): Change[] {
  return filters.flatMap((filter, place) =>
    place === 0
      ? []
      : (['and', 'or', 'both'] as const)
          .filter((connective) => connective !== filter.connective)
          .map((connective) => keep(replaceAt(filters, place, { ...filter, connective }))),
  );
}
