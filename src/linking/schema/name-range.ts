/** A family of tables in a few words: how many there are, from which name to which. */

import type { TableIndex } from '../../knowledge/retrieve/index.ts';
import { compareText } from '../../lib/index.ts';

type Family = Pick<TableIndex['families'][number], 'pattern'> & {
  readonly members: readonly { readonly table: { readonly name: string } }[];
};

export interface NameRange {
  readonly pattern: string;
  readonly total: number;
  readonly first: string;
  readonly last: string;
}

export function nameRange({ pattern, members }: Family): NameRange {
  const names = members.map(({ table }) => table.name).sort(compareText);
  return { pattern, total: members.length, first: names[0] ?? '', last: names.at(-1) ?? '' };
}
