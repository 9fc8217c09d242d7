import type { Cell } from '../api/contract.ts';

/** A cell as people read it; nothing stored is shown as an empty string. */
export function cellText(cell: Cell): string {
  if (cell === null) return '∅';
  return typeof cell === 'object' ? `${cell.base64.length} base64` : String(cell);
}
