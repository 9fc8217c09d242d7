import type { Column } from '../../../catalog/index.ts';
import type { NounMatch } from '../mention/noun-match.ts';

/** What was said for this question weighs more than a full name. */
const NAMED_SCORE = 1.1;

/** A column as what words name because a hint says so. */
export function columnMatch(column: Column, text: string): NounMatch {
  return {
    ...{ kind: 'column', id: column.id, tableId: column.tableId },
    ...{ score: NAMED_SCORE, why: `hint: ${text}` },
  };
}
