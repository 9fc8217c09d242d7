/** What is neither operator nor call: casts by sign, CASE, subscripts, tails of calls, types. */
import { LEVEL } from '../parser/grammar.ts';
import { operand } from './precedence.ts';
import {
  childOf,
  childrenOf,
  type LayOut,
  listed,
  type Part,
  type PrintableNode,
  type PrintContext,
  requiredChild,
} from './printable.ts';

export const EXPRESSIONS: Readonly<Record<string, LayOut>> = {
  Cast: layOutCast,
  TryCast: (node) => ['TRY_CAST(', requiredChild(node, 'this'), ' AS ', requiredChild(node, 'to'), ')'],
  Case: layOutCase,
  If: (node) => ['WHEN ', requiredChild(node, 'this'), ' THEN ', requiredChild(node, 'true')],
  Bracket: (node, context) => [
    ...subscripted(requiredChild(node, 'this'), context),
    '[',
    ...listed(childrenOf(node, 'expressions')),
    ']',
  ],
  Slice: layOutSlice,
  PropertyEQ: layOutProperty,
  JSONKeyValue: (node) => [requiredChild(node, 'this'), ': ', requiredChild(node, 'expression')],
  Kwarg: (node) => {
    const name = requiredChild(node, 'this');
    // The name of an argument is never quoted for being a keyword: `OUTER => TRUE`.
    const written = name.flags.quoted === undefined ? (name.value ?? '') : name;
    return [written, ' => ', requiredChild(node, 'expression')];
  },
  HavingMax: (node) => [`HAVING ${node.flags.kind ?? 'MAX'} `, requiredChild(node, 'this')],
  Filter: (node) => [requiredChild(node, 'this'), ' FILTER (', requiredChild(node, 'expression'), ')'],
  WithinGroup: (node) => [
    requiredChild(node, 'this'),
    ' WITHIN GROUP (',
    requiredChild(node, 'expression'),
    ')',
  ],
  IgnoreNulls: (node) => [requiredChild(node, 'this'), ' IGNORE NULLS'],
  RespectNulls: (node) => [requiredChild(node, 'this'), ' RESPECT NULLS'],
  DataType: layOutType,
  DataTypeParam: (node) => [requiredChild(node, 'this')],
};

/** PostgreSQL wants brackets around all but names before a subscript; they do no harm elsewhere. */
function subscripted(value: PrintableNode, context: PrintContext): readonly Part[] {
  const isName = ['Column', 'Paren', 'Bracket', 'Placeholder'].includes(value.type);
  return isName || context.source !== undefined ? [value] : ['(', value, ')'];
}

/** `x::t`, `DATE '…'`, `ARRAY<t>[…]`; a cast made by a program is a call. */
function layOutCast(node: PrintableNode, context: PrintContext): readonly Part[] {
  const value = requiredChild(node, 'this');
  const to = requiredChild(node, 'to');
  switch (node.flags.operator) {
    case '::':
      return [...operand(value, { least: LEVEL.postfix + 1 }, context), '::', to];
    case 'literal':
      return [to, ' ', value];
    case 'typed':
      return value.type === 'Struct' ? [to, '(', ...listed(value.children), ')'] : [to, value];
    default:
      return ['CAST(', value, ' AS ', to, ')'];
  }
}

function layOutCase(node: PrintableNode): readonly Part[] {
  const subject = childOf(node, 'this');
  const otherwise = childOf(node, 'default');
  return [
    'CASE',
    ...(subject === undefined ? [] : [' ', subject]),
    ...childrenOf(node, 'ifs').flatMap((branch) => [' ', branch]),
    ...(otherwise === undefined ? [] : [' ELSE ', otherwise]),
    ' END',
  ];
}

/** `1:2`, `:`, `1:2:3`. */
function layOutSlice(node: PrintableNode): readonly Part[] {
  const from = childOf(node, 'this');
  const to = childOf(node, 'expression');
  const step = childOf(node, 'step');
  return [
    ...(from === undefined ? [] : [from]),
    ':',
    ...(to === undefined ? [] : [to]),
    ...(step === undefined ? [] : [to === undefined ? '-:' : ':', step]),
  ];
}

/** A field of a struct or an entry of a map; else an assignment. */
function layOutProperty(node: PrintableNode): readonly Part[] {
  const name = requiredChild(node, 'this');
  const isVariable = name.type === 'Parameter' || name.type === 'Placeholder';
  return [name, isVariable ? ' := ' : ': ', requiredChild(node, 'expression')];
}

/** Words of a type that stand behind its brackets: `TIMESTAMP(3) WITH TIME ZONE`. */
const LAST_WORDS = / (?:WITH |WITHOUT |UNSIGNED|ZEROFILL).*$/;

function layOutType(node: PrintableNode, { forms }: PrintContext): readonly Part[] {
  const name = node.value ?? '';
  const inside = node.children;
  const [only] = inside;
  if (inside.length === 0 || only === undefined) return [name];
  const isNested = only.type === 'DataType' || only.type === 'ColumnDef';
  if (!isNested) {
    const last = LAST_WORDS.exec(name)?.[0] ?? '';
    return [`${name.slice(0, name.length - last.length)}(`, ...listed(inside), `)${last}`];
  }
  if (name === 'ARRAY' && forms.nestedType === 'marks' && inside.length === 1) return [only, '[]'];
  return forms.nestedType === 'angles'
    ? [`${name}<`, ...listed(inside), '>']
    : [`${name}(`, ...listed(inside), ')'];
}
