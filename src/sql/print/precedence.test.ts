import { expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import type { NodeType } from '../tree/node-types.ts';
import { contextOf, printNode } from './print-tree.ts';
import type { PrintableNode } from './printable.ts';

const NONE = {};

function leaf(name: string, role: PrintableNode['role'] = 'this'): PrintableNode {
  return {
    type: 'Column',
    role,
    value: undefined,
    flags: NONE,
    children: [{ type: 'Identifier', role: 'this', value: name, flags: NONE, children: [] }],
  };
}

function binary(type: NodeType, left: PrintableNode | string, right: PrintableNode | string): PrintableNode {
  const node = (side: PrintableNode | string, role: PrintableNode['role']): PrintableNode =>
    typeof side === 'string' ? leaf(side, role) : { ...side, role };
  return {
    type,
    role: 'this',
    value: undefined,
    flags: NONE,
    children: [node(left, 'this'), node(right, 'expression')],
  };
}

function prefix(type: NodeType, operand: PrintableNode | string): PrintableNode {
  const inner = typeof operand === 'string' ? leaf(operand) : { ...operand, role: 'this' as const };
  return { type, role: 'this', value: undefined, flags: NONE, children: [inner] };
}

const CASES: readonly (readonly [dialect: DialectName, node: PrintableNode, printed: string])[] = [
  ['sqlite', binary('Mul', binary('Add', 'a', 'b'), 'c'), '(a + b) * c'],
  ['sqlite', binary('Add', 'a', binary('Mul', 'b', 'c')), 'a + b * c'],
  ['sqlite', binary('Sub', 'a', binary('Sub', 'b', 'c')), 'a - (b - c)'],
  ['sqlite', binary('Sub', binary('Sub', 'a', 'b'), 'c'), 'a - b - c'],
  ['sqlite', binary('And', binary('Or', 'a', 'b'), 'c'), '(a OR b) AND c'],
  ['sqlite', prefix('Not', binary('EQ', 'a', 'b')), 'NOT a = b'],
  ['sqlite', prefix('Not', binary('And', 'a', 'b')), 'NOT (a AND b)'],
  ['sqlite', binary('EQ', prefix('Not', 'a'), 'b'), '(NOT a) = b'],
  ['sqlite', binary('EQ', 'a', prefix('Not', 'b')), 'a = NOT b'],
  ['sqlite', binary('EQ', binary('Add', 'a', prefix('Not', 'b')), 'c'), '(a + NOT b) = c'],
  ['sqlite', prefix('Neg', prefix('Neg', 'a')), '- -a'],
  ['sqlite', prefix('Neg', binary('Add', 'a', 'b')), '-(a + b)'],
  ['sqlite', prefix('Not', binary('Is', 'a', 'b')), 'a IS NOT b'],
  ['sqlite', prefix('Not', binary('Like', 'a', 'b')), 'a NOT LIKE b'],
  // Joining texts binds tightest in SQLite, and looser than a sum in PostgreSQL.
  ['sqlite', binary('DPipe', binary('Add', 'a', 'b'), 'c'), '(a + b) || c'],
  ['postgres', binary('DPipe', binary('Add', 'a', 'b'), 'c'), 'a + b || c'],
  ['postgres', binary('EQ', 'a', binary('Is', 'b', 'c')), 'a = (b IS c)'],
  ['postgres', binary('Pow', prefix('Neg', 'a'), 'b'), '-a ^ b'],
  ['postgres', prefix('Neg', binary('Pow', 'a', 'b')), '-(a ^ b)'],
  ['mysql', binary('Or', binary('Xor', 'a', 'b'), 'c'), 'a XOR b OR c'],
  ['mysql', binary('BitwiseXor', 'a', binary('Mul', 'b', 'c')), 'a ^ (b * c)'],
];

it.each(CASES)('%s, case %#', (dialect, node, printed) => {
  const text = printNode(node, contextOf(dialect));
  expect(text).toBe(printed);
  expect(parse(`SELECT ${text}`, dialect).ok).toBe(true);
});
