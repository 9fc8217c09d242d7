/** GROUP_CONCAT, STRING_AGG and LISTAGG: value, separator and order stand at other places in each dialect. */
import type { DialectName } from '../../dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { allAs, as, build, castNode, textNode } from '../built-node.ts';
import { kindIn } from '../loose-values.ts';
import { readText } from '../read-text.ts';
import type { Translation } from '../translation.ts';
import { typeName } from '../type-names.ts';
import { ownWords } from './own-words-of.ts';

interface Collected {
  readonly value: PrintableNode;
  /** A node, or the text that stands where none is given. */
  readonly separator: PrintableNode;
  readonly isComma: boolean;
  readonly isDistinct: boolean;
  readonly order: PrintableNode | undefined;
}

/** The call in the target; `order` is what WITHIN GROUP gave, if the call stands in one. */
export function translateCollected(
  node: SqlNode,
  translation: Translation,
  order?: SqlNode,
): PrintableNode | undefined {
  const collected = readCollected(node, translation, order);
  return collected && WRITERS[translation.to](collected, node, translation);
}

const DEFAULT_SEPARATORS: Readonly<Partial<Record<DialectName, string>>> = { snowflake: '' };
/** These want a text; the others make one of any value. */
const WANTS_TEXT: ReadonlySet<DialectName> = new Set(['postgres', 'trino', 'bigquery']);

function readCollected(node: SqlNode, translation: Translation, order?: SqlNode): Collected | undefined {
  const { from, to, tree, translate } = translation;
  const distinct = node.children.find(({ type }) => type === 'Distinct');
  const inList = node.children.filter(
    ({ role, type }) => role !== 'order' && role !== 'limit' && type !== 'Distinct',
  );
  const values = [...(distinct === undefined ? [] : childrenIn(distinct, 'expressions')), ...inList];
  const hasSeparator = from === 'mysql' ? ownWords(node, tree).includes('SEPARATOR') : values.length > 1;
  const separator = hasSeparator ? values.at(-1) : undefined;
  const [value, ...more] = hasSeparator ? values.slice(0, -1) : values;
  if (value === undefined || more.length > 0 || child(node, 'limit') !== undefined) return undefined;
  const isText = ['text', 'digits'].includes(kindIn(value, translation) ?? '');
  const written = translate(value);
  const sorted = order ?? child(node, 'order');
  const text = separator === undefined ? (DEFAULT_SEPARATORS[from] ?? ',') : readText(separator, tree);
  return {
    value: WANTS_TEXT.has(to) && !isText ? castNode(written, typeName('text', to) ?? 'TEXT') : written,
    separator: separator === undefined ? textNode(text ?? ',') : translate(separator),
    isComma: text === ',' && (separator === undefined || separator.flags.string !== undefined),
    isDistinct: distinct !== undefined,
    order: sorted && translate(sorted),
  };
}

type Writer = (collected: Collected, node: SqlNode, translation: Translation) => PrintableNode;

const WRITERS: Readonly<Record<DialectName, Writer>> = {
  sqlite: writeSqlite,
  duckdb: (collected) => writeInside('STRING_AGG', collected, !collected.isComma),
  postgres: (collected) => writeInside('STRING_AGG', collected, true),
  bigquery: (collected) => writeInside('STRING_AGG', collected, !collected.isComma),
  mysql: writeMysql,
  snowflake: (collected) => withinGroup(collected, collected.order),
  // LISTAGG must say an order; where the source says none, any will do.
  trino: (collected) => withinGroup(collected, collected.order ?? orderBy(collected.value)),
};

/** SQLite takes no separator beside DISTINCT. */
function writeSqlite(collected: Collected, node: SqlNode, { unsupported }: Translation): PrintableNode {
  if (collected.isDistinct && !collected.isComma) {
    unsupported('function', node, 'sqlite has only commas between distinct texts');
  }
  return writeInside('GROUP_CONCAT', collected, !collected.isComma);
}

function writeInside(name: string, collected: Collected, saysSeparator: boolean): PrintableNode {
  const { value, separator, isDistinct, order } = collected;
  const values = saysSeparator ? [value, separator] : [value];
  const list = isDistinct ? [build('Distinct', allAs('expressions', values))] : values;
  return called(name, [...allAs('expressions', list), ...(order === undefined ? [] : [as('order', order)])]);
}

function writeMysql(collected: Collected): PrintableNode {
  const { value, separator, isDistinct, isComma, order } = collected;
  const first = isDistinct ? build('Distinct', [as('expressions', value)]) : value;
  const sorted = order === undefined ? [] : [as('order', order)];
  if (isComma) return called('GROUP_CONCAT', [as('expressions', first), ...sorted]);
  const parts = [as('expressions', first), ...sorted, as('expressions', separator)];
  return build('GroupConcat', parts, { value: 'GROUP_CONCAT', flags: { call: 'true', kind: 'SEPARATOR' } });
}

function withinGroup(collected: Collected, order: PrintableNode | undefined): PrintableNode {
  const call = writeInside('LISTAGG', { ...collected, order: undefined }, true);
  return order === undefined ? call : build('WithinGroup', [as('this', call), as('expression', order)]);
}

function orderBy(value: PrintableNode): PrintableNode {
  return build('Order', [as('expressions', build('Ordered', [as('this', value)]))]);
}

function called(name: string, parts: readonly PrintableNode[]): PrintableNode {
  return build('GroupConcat', parts, { value: name, flags: { call: 'true' } });
}
