/** What a question says of the rows that are shown. */
export interface PlanOptions {
  /** What is asked of the counts of groups. */
  readonly overall?: 'avg' | 'sum';
  readonly limit?: number;
  readonly isDistinct: boolean;
  /** A row is shown for each row of the many side that it meets. */
  readonly keepsMatches?: boolean;
  /** Values of a category are shown as often as they occur. */
  readonly keepsCategories?: boolean;
  /** All rows in first place are shown. */
  readonly keepsTies?: boolean;
}
