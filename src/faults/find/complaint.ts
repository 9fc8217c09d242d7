/** What an engine is known to refuse in a query where the schema alone lets it pass, or asks for something else. */
export interface Complaint {
  readonly kind: ComplaintKind;
  /** What it names, as it writes it. */
  readonly name?: string;
}

export type ComplaintKind =
  /** A column that is neither grouped nor aggregated. */
  | 'group-by'
  /** A subquery that gives several rows where one value stands. */
  | 'subquery-rows'
  /** A call of an aggregate where rows are not grouped yet. */
  | 'misplaced-call'
  /** A name that it takes for a column. */
  | 'missing-column'
  /** A table that it has, and does not show to the account. */
  | 'access-denied';

/** Whether a name in the query is the one complained of: by its last part, in any case. */
export function isComplainedOf(name: string | undefined, complaint: Complaint): boolean {
  const last = complaint.name?.split(/[.:]/).at(-1);
  return last !== undefined && name?.toLowerCase() === last.toLowerCase();
}
