/** Identifiers, columns, stars and aliases. */
import { DIALECTS } from '../dialects.ts';
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

export const NAMES: Readonly<Record<string, LayOut>> = {
  Identifier: (node, context) => [identifierText(node, context)],
  Column: (node) => node.children.flatMap((part, index) => (index === 0 ? [part] : ['.', part])),
  Star: layOutStar,
  Alias: layOutAlias,
  Aliases: (node) => [requiredChild(node, 'this'), ' AS (', ...listed(childrenOf(node, 'aliases')), ')'],
  Dot: (node, context) => [
    ...operand(requiredChild(node, 'this'), { least: LEVEL.postfix + 1 }, context),
    '.',
    requiredChild(node, 'expression'),
  ],
  ColumnDef: (node) => {
    const kind = childOf(node, 'kind');
    return [requiredChild(node, 'this'), ...(kind === undefined ? [] : [' ', kind])];
  },
};

/** As written in its own dialect; quoted anew when it had quotes or needs them. */
function identifierText(node: PrintableNode, { dialect, forms, source }: PrintContext): string {
  const name = node.value ?? '';
  const { quoted } = node.flags;
  if (source !== undefined) {
    if (quoted === undefined) return name;
    const written = source.text.slice(node.start, node.end);
    // Names that share one pair of quotes have none of their own.
    if (/^(?:["'`[@]|[uU]&")/.test(written)) return written;
    return quoteWith(quoted, name);
  }
  const isPlain = quoted === undefined && !DIALECTS[dialect].reserved.has(name.toLowerCase());
  return isPlain ? name : quoteWith(forms.quote, name);
}

function quoteWith(quote: string, name: string): string {
  return quote + name.replaceAll(quote, quote + quote) + quote;
}

function layOutStar(node: PrintableNode, { forms }: PrintContext): readonly Part[] {
  const change = (word: string, role: 'except' | 'replace' | 'rename'): readonly Part[] => {
    const items = childrenOf(node, role);
    return items.length === 0 ? [] : [` ${word} (`, ...listed(items), ')'];
  };
  const pattern = childOf(node, 'condition');
  return [
    '*',
    ...(pattern === undefined ? [] : [' ILIKE ', pattern]),
    ...change(forms.starWithout, 'except'),
    ...change('REPLACE', 'replace'),
    ...change('RENAME', 'rename'),
  ];
}

/** `a + b AS total`, and DuckDB's `total: a + b` where the name comes first. */
function layOutAlias(node: PrintableNode): readonly Part[] {
  const value = requiredChild(node, 'this');
  const alias = requiredChild(node, 'alias');
  return node.children[0] === alias ? [alias, ': ', value] : [value, ' AS ', alias];
}
