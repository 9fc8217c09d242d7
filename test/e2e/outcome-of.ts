import type { Answer } from '../../src/answer.ts';
import type { Cell } from '../../src/sql/dialects/index.ts';

/** What must not depend on the engine: the kind, and rows as a bag with numbers to a millionth. */
export function outcomeOf(answer: Answer | undefined): unknown {
  if (answer?.kind !== 'answered') return answer?.kind;
  // Exact decimals come as text.
  const isNumber = (cell: Cell): boolean =>
    typeof cell === 'bigint' || typeof cell === 'number' || /^-?\d+\.\d+$/.test(String(cell));
  const plain = (cell: Cell): unknown => (isNumber(cell) ? Number(Number(cell).toFixed(6)) : cell);
  return answer.rows.map((row) => JSON.stringify(row.map(plain))).sort();
}
