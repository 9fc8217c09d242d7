import type { Frame } from '../compose/frame.ts';

/** What a question says of the rows that are shown. */
export interface PlanOptions {
  /** What is asked of the counts of groups. */
  readonly overall?: 'avg' | 'sum';
  readonly limit?: number;
  /** Which row of the ranking is asked for, where it is not the first. */
  readonly place?: number;
  readonly isDistinct: boolean;
  /** Each step of time is shown with all before it. */
  readonly isRunning?: boolean;
  /** A row is shown for each row of the many side that it meets. */
  readonly keepsMatches?: boolean;
  /** Values of a category are shown as often as they occur. */
  readonly keepsCategories?: boolean;
  /** All rows in first place are shown. */
  readonly keepsTies?: boolean;
}

/** What a frame says of the rows that are shown. */
export function planOptions({ limit, isDistinct, overall, place, running }: Frame): PlanOptions {
  return { limit, isDistinct, overall, place: place?.number, isRunning: running !== undefined };
}
