/** Whether a called function exists in the dialect and is given as many arguments as it takes. */

import type { DialectName } from '../../sql/dialect.ts';
import { READING, type SqlNode } from '../../sql/index.ts';
import { arityOf } from './context-function-arities.ts';

/** 1 known and the number of arguments fits, or is on no list; 0.5 it does not fit; 0 unknown; -1 no call. */
export function functionKnown(node: SqlNode, dialect: DialectName): number {
  if (node.flags.call === undefined) return -1;
  const name = (node.value ?? '').toLowerCase();
  if (!isKnown(name, node, dialect)) return 0;
  const arity = node.flags.call === 'bare' ? undefined : arityOf(name, dialect);
  if (arity === undefined) return 1;
  const count = countArguments(node);
  return count >= arity.least && count <= arity.most ? 1 : 0.5;
}

/** Calls whose words are syntax and stand on no list of functions; SQLite has none but CAST. */
const SYNTAX: ReadonlySet<string> = new Set(
  'cast try_cast safe_cast convert extract position overlay match'.split(' '),
);

function isKnown(name: string, { type }: SqlNode, dialect: DialectName): boolean {
  const { functions, tableFunctions } = READING[dialect];
  if (functions.has(name) || tableFunctions.has(name) || name === 'cast') return true;
  return dialect !== 'sqlite' && type !== 'Anonymous' && SYNTAX.has(name);
}

const ARGUMENTS: ReadonlySet<string> = new Set('this expressions expression true false to'.split(' '));

function countArguments({ children }: SqlNode): number {
  let count = 0;
  for (const { role, type, children: below } of children) {
    if (!ARGUMENTS.has(role)) continue;
    count += type === 'Distinct' ? below.length : 1;
  }
  return count;
}
