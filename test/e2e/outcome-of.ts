import type { Answer } from '../../src/answer.ts';
import type { Cell } from '../../src/sql/index.ts';

/** What must not depend on the engine: the kind, and rows as a bag with numbers to a millionth. */
export function outcomeOf(answer: Answer | undefined): unknown {
  if (answer?.kind !== 'answered') return answer?.kind;
  const plain = (cell: Cell): unknown =>
    typeof cell === 'bigint' || typeof cell === 'number' ? Number(Number(cell).toFixed(6)) : cell;
  return answer.rows.map((row) => JSON.stringify(row.map(plain))).sort();
}
