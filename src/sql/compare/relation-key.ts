/** The key of a relation in FROM, without its alias. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { identifierKey } from './identifier-key.ts';
import type { Keying } from './keying.ts';
import { childKeys } from './name-keys.ts';
import type { Source } from './names.ts';

/** Children that the base or the query says, or that stand elsewhere. */
const READ: ReadonlySet<string> = new Set(['this', 'db', 'catalog', 'alias', 'joins']);

export function relationKey(keying: Keying, node: SqlNode, source: Source | undefined): string {
  const isNamed = source !== undefined && source.base !== '$f' && source.query === undefined;
  const rest = node.children.filter(({ role }) => !READ.has(role));
  const more = childKeys(keying, source?.query?.kind === 'other' ? [] : rest);
  // Renamed outputs are known by what they hold, so that their names say nothing.
  const columns = source?.outputs === undefined ? columnsKey(node) : '';
  return keying.fold(
    `${isNamed ? source.base : unnamedKey(keying, node, source)}${columns}${more && ` ${more}`}`,
  );
}

function unnamedKey(keying: Keying, node: SqlNode, source: Source | undefined): string {
  const lateral = node.type === 'Lateral' ? 'lateral ' : '';
  if (source?.query !== undefined) return `${lateral}(${source.query.key})`;
  const inner = child(node, 'this');
  const call = inner === undefined ? '' : keying.keyOf(keying, inner);
  return node.type === 'Table' ? call : `${node.type.toLowerCase()} ${call}`;
}

/** `f(x) AS y (a, b)` */
function columnsKey(node: SqlNode): string {
  const alias = child(node, 'alias');
  const columns = alias === undefined ? [] : childrenIn(alias, 'columns');
  if (columns.length === 0) return '';
  const names = columns.map((column) => identifierKey(column.value ?? column.children[0]?.value ?? ''));
  return ` (${names.join(', ')})`;
}
