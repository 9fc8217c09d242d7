/** Literals, parameters and intervals. */
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { build, numberNode, textNode, wordNode } from '../translation/built-node.ts';
import { readInterval, writeInterval } from '../translation/intervals.ts';
import { readText } from '../translation/read-text.ts';
import type { Rules, Translation } from '../translation/translation.ts';

export const LITERAL_RULES: Rules = {
  Literal: translateLiteral,
  HexString: translateHex,
  Placeholder: translatePlaceholder,
  Interval: translateInterval,
  Boolean: (node) => build('Boolean', [], { value: node.value }),
  Null: () => build('Null'),
};

function translateLiteral(node: SqlNode, { tree, to, unsupported }: Translation): PrintableNode {
  if (node.flags.string === undefined) return numberNode((node.value ?? '').replaceAll('_', ''));
  const text = readText(node, tree);
  if (text === undefined) unsupported('syntax', node, `${to} has no such literal`);
  return textNode(text ?? node.value ?? '');
}

/** `0xFF` is a number, `x'FF'` bytes. */
function translateHex(node: SqlNode, { to, unsupported }: Translation): PrintableNode {
  const value = node.value ?? '';
  if (/^0x/i.test(value)) return numberNode(BigInt(value.replaceAll('_', '')).toString());
  if (to === 'bigquery' || to === 'duckdb') {
    unsupported('syntax', node, `${to} has no bytes in hexadecimal`);
  }
  return build('HexString', [], { value });
}

const MARKS: Readonly<Record<string, RegExp>> = {
  sqlite: /^(?:\?\d*|[:@$#]\w+)$/,
  duckdb: /^(?:\?|\$\w+)$/,
  postgres: /^\$\d+$/,
  snowflake: /^\?$/,
  mysql: /^\?$/,
  trino: /^\?$/,
  bigquery: /^\?$/,
};

/** `?` counts itself; PostgreSQL's parameters have numbers, which `?` can stand for when they come in order. */
function translatePlaceholder(node: SqlNode, { tree, to, unsupported }: Translation): PrintableNode {
  const value = node.value ?? '?';
  if (MARKS[to]?.test(value) && !(to === 'sqlite' && value.startsWith('$')))
    return build('Placeholder', [], { value });
  const count = tree.nodes.filter(({ id, type }) => type === 'Placeholder' && id <= node.id).length;
  if (value === '?' && to === 'postgres') return build('Placeholder', [], { value: `$${count}` });
  const number = /^\$(\d+)$/.exec(value)?.[1];
  if (number !== undefined && to === 'sqlite') return build('Placeholder', [], { value: `?${number}` });
  if (number === String(count)) return build('Placeholder', [], { value: '?' });
  unsupported('syntax', node, `${to} has no parameter of the form ${value}`);
  return build('Placeholder', [], { value: '?' });
}

function translateInterval(node: SqlNode, translation: Translation): PrintableNode {
  const interval = readInterval(node, translation);
  const written = interval && writeInterval(interval, translation);
  if (written !== undefined) return written;
  const { to, unsupported, translate } = translation;
  unsupported('syntax', node, `${to} has no such interval`);
  const amount = child(node, 'this');
  const unit = child(node, 'unit');
  const parts = amount === undefined ? [] : [translate(amount)];
  return build('Interval', unit === undefined ? parts : [...parts, wordNode(unit.value ?? '')]);
}
