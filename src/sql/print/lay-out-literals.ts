/** Literals: as written in their own dialect, in the target's spelling when a program made them. */

import { ownTokens } from './own-words.ts';
import { sourceText } from './print-as-written.ts';
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

export const LITERALS: Readonly<Record<string, LayOut>> = {
  Literal: (node, context) =>
    leaf(
      node,
      context,
      node.flags.string === undefined ? (node.value ?? '') : textLiteral(node.value ?? '', context),
    ),
  HexString: (node, context) => leaf(node, context, `X'${node.value ?? ''}'`),
  BitString: (node, context) => leaf(node, context, `B'${node.value ?? ''}'`),
  Placeholder: (node, context) => leaf(node, context, node.value ?? '?'),
  PositionalReference: (node, context) =>
    leaf(node, context, `${context.dialect === 'snowflake' ? '$' : '#'}${node.value ?? ''}`),
  Parameter: (node, context) => leaf(node, context, node.value ?? ''),
  Var: (node, context) => leaf(node, context, node.value ?? ''),
  Boolean: (node) => [(node.value ?? '').toUpperCase()],
  Null: () => ['NULL'],
  Interval: (node) => {
    const amount = childOf(node, 'this');
    const unit = childOf(node, 'unit');
    return [
      'INTERVAL',
      ...(amount === undefined ? [] : [' ', amount]),
      ...(unit === undefined ? [] : [' ', unit]),
    ];
  },
  /** A path is one text; only computed places in it are nodes. */
  JSONPath: (node, context) => leaf(node, context, node.value ?? ''),
  Array: (node, { forms }) => [`${forms.arrayWord}[`, ...listed(node.children), ']'],
  Struct: (node) => ['{', ...listed(node.children), '}'],
  Map: (node) => ['MAP {', ...listed(node.children), '}'],
  Tuple: layOutTuple,
  Comprehension: (node) => {
    const condition = childOf(node, 'condition');
    return [
      '[',
      requiredChild(node, 'this'),
      ' FOR ',
      ...listed(childrenOf(node, 'expressions')),
      ' IN ',
      requiredChild(node, 'iterator'),
      ...(condition === undefined ? [] : [' IF ', condition]),
      ']',
    ];
  },
  Let: (node) => ['WITH(', ...listed([...childrenOf(node, 'expressions'), requiredChild(node, 'this')]), ')'],
  LetName: (node) => [requiredChild(node, 'alias'), ' AS ', requiredChild(node, 'this')],
  Lambda: (node) => {
    const names = childrenOf(node, 'expressions');
    const body = requiredChild(node, 'this');
    return names.length === 1 ? [...names, ' -> ', body] : ['(', ...listed(names), ') -> ', body];
  },
};

/** `'it''s'`, or `'it\'s'` where quotes are not doubled. */
function textLiteral(text: string, { forms }: PrintContext): string {
  const escaped = forms.backslash ? text.replaceAll('\\', '\\\\') : text;
  if (forms.doublesQuotes) return `'${escaped.replaceAll("'", "''")}'`;
  return `'${escaped.replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

function leaf(node: PrintableNode, { source }: PrintContext, made: string): readonly Part[] {
  return [source === undefined ? made : sourceText(source, node.start, node.end)];
}

/** A row of VALUES may have one value; elsewhere only the comma tells a row of one from a value in brackets. */
function layOutTuple(node: PrintableNode, { source }: PrintContext): readonly Part[] {
  const isOne = node.children.length === 1 && source !== undefined;
  const hasComma = isOne && ownTokens(source, node, node.children).some(({ text }) => text === ',');
  return ['(', ...listed(node.children), hasComma ? ',)' : ')'];
}
