import type { Span } from '../dialects/span.ts';
import { ancestor, child, type SqlNode, walk } from '../tree/node.ts';
import type { Clause, Comparing, EditPlace, Side } from './difference.ts';

/** Adds an edit with its spans and its words. */
export function recordEdit({ edits, before, after }: Comparing, place: EditPlace): void {
  const message = describeEdit(place, before, after);
  const { clause } = place;
  switch (place.kind) {
    case 'removed':
      edits.push({
        kind: 'removed',
        clause,
        message,
        before: place.before,
        beforeSpan: spanOf(place.before),
      });
      break;
    case 'added':
      edits.push({ kind: 'added', clause, message, after: place.after, afterSpan: spanOf(place.after) });
      break;
    default: {
      const spans = { beforeSpan: spanOf(place.before), afterSpan: spanOf(place.after) };
      edits.push({ kind: place.kind, clause, message, before: place.before, after: place.after, ...spans });
    }
  }
}

function spanOf({ start, end }: SqlNode): Span {
  return { start, end };
}

/** Edits in plain words. */
function describeEdit(edit: EditPlace, before: Side, after: Side): string {
  switch (edit.kind) {
    case 'removed':
      return `${describe(edit.clause, before, edit.before)} is missing`;
    case 'added':
      return `${describe(edit.clause, after, edit.after)} is new`;
    case 'moved':
      return describeMove(edit, before);
    case 'changed':
      return describeChange(edit, before, after);
  }
}

type TwoSided = Extract<EditPlace, { kind: 'changed' | 'moved' }>;

function describeMove({ clause, before, after }: TwoSided, side: Side): string {
  const what = describe(clause, side, before);
  if (clause === 'order') return `${what} comes at another rank`;
  if (clause === 'select') return `${what} stands at another place`;
  return `${what} moved from ${clauseWord(before)} to ${clauseWord(after)}`;
}

function describeChange({ clause, before, after }: TwoSided, one: Side, other: Side): string {
  if (clause === 'other' && before.type !== after.type) return 'the whole statement is of another kind';
  if (clause === 'from') return describeExchange([before, after], one, other);
  const frame = FRAMES[clause];
  const what = describe(clause, one, before);
  if (frame === undefined) return `${what} became ${describe(clause, other, after)}`;
  const became = subject(other, after);
  if (clause === 'order' && subject(one, before) === became) return `${what} the other way`;
  return `${what} became ${became}`;
}

/** What a part is called, before and after what it says. */
const FRAMES: Readonly<Partial<Record<Clause, readonly [noun: string, tail?: string]>>> = {
  select: ['column'],
  on: ['join condition'],
  where: ['condition'],
  having: ['condition', ' on groups'],
  qualify: ['condition', ' on windows'],
  group: ['grouping by'],
  order: ['sorting by'],
  limit: ['limit'],
  offset: ['offset'],
  values: ['row'],
};

function describe(clause: Clause, side: Side, node: SqlNode): string {
  const frame = FRAMES[clause];
  if (frame !== undefined) return `${frame[0]} ${subject(side, node)}${frame[1] ?? ''}`;
  if (clause === 'with') return `the query ${child(node, 'alias')?.children[0]?.value ?? ''} of WITH`;
  if (clause === 'set') return setWords(side, node);
  return clause === 'from' ? relationWords(side, node) : spokenText(side, node);
}

/** The text of what a part is about: the name behind an alias, the term of ORDER BY, the number of LIMIT. */
function subject(side: Side, node: SqlNode): string {
  const inner = UNWRAPPED.has(node.type)
    ? (child(node, 'this') ?? child(node, 'expression') ?? child(node, 'count'))
    : undefined;
  return spokenText(side, inner ?? node);
}

const UNWRAPPED: ReadonlySet<string> = new Set(['Alias', 'Ordered', 'Limit', 'Offset', 'Fetch']);

function relationWords(side: Side, node: SqlNode): string {
  const name = relationName(side, node);
  const join = joinWords(node);
  if (join !== '') return `${join} with ${name}`;
  return name === DERIVED ? name : `table ${name}`;
}

const DERIVED = 'a derived table';

function relationName(side: Side, node: SqlNode): string {
  const relation = node.type === 'Join' ? child(node, 'this') : node;
  const inner = relation?.type === 'Table' ? child(relation, 'this') : undefined;
  if (inner === undefined) return DERIVED;
  return inner.type === 'Identifier' ? (inner.value ?? '') : spokenText(side, inner);
}

function joinWords({ type, flags }: SqlNode): string {
  if (type !== 'Join') return '';
  const kind = flags.kind === 'OUTER' || flags.kind === 'INNER' ? undefined : flags.kind;
  const words = [flags.method, flags.side, kind, 'join'];
  return words
    .filter((word) => word !== undefined)
    .join(' ')
    .toLowerCase();
}

/** Where only the table is another, how it is joined is not told. */
function describeExchange([before, after]: readonly [SqlNode, SqlNode], one: Side, other: Side): string {
  const isPlain = [before, after].every((node) => ['', 'join', 'cross join'].includes(joinWords(node)));
  const [name, became] = [relationName(one, before), relationName(other, after)];
  if (isPlain && name !== became) return `${name === DERIVED ? '' : 'table '}${name} became ${became}`;
  return `${relationWords(one, before)} became ${relationWords(other, after)}`;
}

function setWords(side: Side, node: SqlNode): string {
  if (SETS.has(node.type)) {
    return `${node.type.toUpperCase()}${node.flags.all === undefined ? '' : ' ALL'}`;
  }
  const operation = ancestor(node, ({ type }) => SETS.has(type));
  const text = spokenText(side, node);
  return operation === undefined ? text : `the branch ${text} of ${operation.type.toUpperCase()}`;
}

const SETS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

const CLAUSE_WORDS: Readonly<Record<string, string>> = {
  Where: 'WHERE',
  Having: 'HAVING',
  Qualify: 'QUALIFY',
  Join: 'ON',
};

function clauseWord(node: SqlNode): string {
  const clause = ancestor(node, ({ type }) => CLAUSE_WORDS[type] !== undefined);
  return CLAUSE_WORDS[clause?.type ?? ''] ?? 'the query';
}

const MAX_TEXT = 80;

/** The text of a node for people: in one line, cut when long, with names of tables for aliases that stand for them. */
function spokenText({ tree, owners }: Side, node: SqlNode): string {
  let text = '';
  let at = node.start;
  for (const column of walk(node)) {
    const qualifier = column.type === 'Column' ? child(column, 'table') : undefined;
    const owner = owners[column.id];
    const name = owner?.node.type === 'Table' && !owner.isShared ? child(owner.node, 'this') : undefined;
    if (qualifier === undefined || name?.type !== 'Identifier') continue;
    text += tree.text.slice(at, qualifier.start) + tree.text.slice(name.start, name.end);
    at = qualifier.end;
  }
  return shorten(text + tree.text.slice(at, node.end));
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
}
