/** One query: our references beside SQLGlot's, matched by where they stand in the text. */
import type { SqlglotReference } from './ask-sqlglot.ts';
import type { OurColumn } from './our-references.ts';

/**
 * `unowned-theirs`: SQLGlot gives no owner of its own (a name of an output column, a name in USING, an invented
 * column); where its rewriting implies one, the reference is also `implied-agree` or `implied-differ`.
 * `ours-unknown-theirs-accepts`: the schema has no such column; we say so, SQLGlot passes the qualified name on.
 */
export type ReferenceClass =
  | 'agree'
  | 'differ'
  | 'only-ours'
  | 'only-theirs'
  | 'unowned-theirs'
  | 'ours-unknown-theirs-accepts';

export interface ComparedReference {
  readonly start: number;
  readonly class: ReferenceClass;
  readonly implied?: 'agree' | 'differ';
  readonly ours: OurColumn | undefined;
  readonly theirs: SqlglotReference | undefined;
}

/** `[{ start: 7, class: 'agree', … }]`, in the order of the text. */
export function compareReferences(
  ours: readonly OurColumn[],
  theirs: readonly SqlglotReference[],
): ComparedReference[] {
  const ourByStart = new Map(ours.map((column) => [column.start, column]));
  const theirStarts = new Set(theirs.map((reference) => reference.start));
  const compared = theirs.map((reference) => compareOne(ourByStart.get(reference.start), reference));
  const onlyOurs = ours
    .filter((column) => !theirStarts.has(column.start))
    .map(
      (column): ComparedReference => ({
        start: column.start,
        class: 'only-ours',
        ours: column,
        theirs: undefined,
      }),
    );
  return [...compared, ...onlyOurs].sort((left, right) => left.start - right.start);
}

function compareOne(ours: OurColumn | undefined, theirs: SqlglotReference): ComparedReference {
  const both = { start: theirs.start, ours, theirs };
  if (theirs.owner === 'bare') return { ...both, class: 'unowned-theirs' };
  const isSame = ours !== undefined && hasSame(ours.physical, theirs.physical);
  const isSameWithoutMissing = ours !== undefined && hasSame(ours.physical, storedOf(theirs));
  if (theirs.owner !== 'owned') {
    return { ...both, class: 'unowned-theirs', implied: isSame || isSameWithoutMissing ? 'agree' : 'differ' };
  }
  if (ours === undefined) return { ...both, class: 'only-theirs' };
  // Ours may be unknown itself, or a column of a query that passes an unknown one on.
  const isAccepted = theirs.marks.includes('missing') && isSameWithoutMissing && ours.kind !== 'hidden';
  if (isAccepted) return { ...both, class: 'ours-unknown-theirs-accepts' };
  return { ...both, class: isSame ? 'agree' : 'differ' };
}

function storedOf({ physical, missing }: SqlglotReference): string[] {
  return physical.filter((name) => !missing.includes(name));
}

/** The same names, whatever their order and case. */
export function hasSame(left: readonly string[], right: readonly string[]): boolean {
  const names = new Set(left.map((name) => name.toLowerCase()));
  const others = new Set(right.map((name) => name.toLowerCase()));
  return names.size === others.size && [...names].every((name) => others.has(name));
}
