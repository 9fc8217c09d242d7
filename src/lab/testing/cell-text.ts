import type { Cell } from '../../sql/cell.ts';

/** One cell in a report: NULL, bytes in hexadecimal, everything else as it reads. */
export function cellText(cell: Cell): string {
  if (cell === null) return 'NULL';
  return cell instanceof Uint8Array ? `x'${Buffer.from(cell).toString('hex').slice(0, 32)}'` : String(cell);
}
