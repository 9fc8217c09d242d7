/** A whole tree back to text, in its own dialect. */
import type { DialectName } from '../dialects/dialect.ts';
import { GRAMMARS } from '../parser/grammars.ts';
import type { SqlTree } from '../tree/node.ts';
import { FORMS } from './dialect-forms.ts';
import { formatSql } from './format-sql.ts';
import { signOf } from './operators.ts';
import { unprintedWords } from './own-words.ts';
import { printAsWritten, printSource, sourceText } from './print-as-written.ts';
import { EXPRESSIONS, OPERATORS, printBinary } from './print-expressions.ts';
import { CALLS, LITERALS, NAMES, printCall } from './print-names.ts';
import { CLAUSES, endOf, QUERIES, withOf } from './print-queries.ts';
import {
  childOf,
  childrenOf,
  type LayOut,
  listed,
  type Part,
  type PrintableNode,
  type PrintContext,
  requiredChild,
  type Source,
} from './printable.ts';

export interface PrintOptions {
  /** One line, or one clause a line as `formatSql` lays them out. */
  readonly layout?: 'line' | 'lines';
}

/**
 * The statement as the nodes say it: keywords in capitals, names and literals as written, comments left out. What the
 * tree does not record stays as written. `select a from t -- x` gives `SELECT a FROM t`.
 */
export function printTree(tree: SqlTree, { layout = 'line' }: PrintOptions = {}): string {
  const text = printNode(tree.root, contextOf(tree.dialect, tree));
  return layout === 'line' ? text : formatSql(text, tree.dialect).text;
}

/** One node to text: its layout by type, or its source where the layout would say less. */
export function contextOf(dialect: DialectName, source?: Source): PrintContext {
  return { dialect, grammar: GRAMMARS[dialect], forms: FORMS[dialect], source };
}

/** The node as SQL of the context's dialect, in one line: `printNode(tree.root, contextOf('sqlite', tree))`. */
export function printNode(node: PrintableNode, context: PrintContext): string {
  const { source } = context;
  // Steps stay as written, since the nodes stand for them in another form.
  if (source !== undefined && node.flags.pipe !== undefined) return sourceText(source, node.start, node.end);
  const parts = partsOf(node, context);
  const print = (below: PrintableNode): string => printNode(below, context);
  if (source !== undefined && unprintedWords(node, parts, context).length > 0) {
    return printAsWritten(node, nodesOf(parts), { source, print });
  }
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : print(part);
  return text;
}

/** What a node prints, the nodes below it still as nodes. */
export function partsOf(node: PrintableNode, context: PrintContext): readonly Part[] {
  const isCall = node.flags.call !== undefined;
  const print = (isCall ? CALLS : PRINTERS)[node.type];
  if (print !== undefined) return print(node, context);
  if (!isCall && signOf(node, context) !== undefined) return printBinary(node, context);
  return printCall(node);
}

export function nodesOf(parts: readonly Part[]): readonly PrintableNode[] {
  return parts.filter((part): part is PrintableNode => typeof part !== 'string');
}

/** FROM and what stands in it: tables, joins, subqueries, functions, pivots. */
const RELATIONS: Readonly<Record<string, LayOut>> = {
  From: (node) => ['FROM ', requiredChild(node, 'this')],
  Join: printJoin,
  Subquery: (node) => [
    ...withOf(node),
    '(',
    requiredChild(node, 'this'),
    ')',
    ...endOf(node),
    ...suffixesOf(node),
  ],
  Table: printTable,
  TableAlias: printTableAlias,
  Unnest: (node) => ['UNNEST(', ...listed(childrenOf(node, 'expressions')), ')', ...suffixesOf(node)],
  Lateral: (node) => ['LATERAL ', requiredChild(node, 'this'), ...suffixesOf(node)],
  TableFromRows: (node) => {
    const call = childOf(node, 'this');
    const inside =
      call === undefined ? ['ROWS FROM (', ...listed(childrenOf(node, 'expressions'))] : ['TABLE(', call];
    return [...inside, ')', ...suffixesOf(node)];
  },
  Pivot: (node) => (childOf(node, 'this') === undefined ? printPivot(node) : printPivotStatement(node)),
  PivotIn: printPivotIn,
  MatchRecognize: printRowPattern,
  PatternDefinition: (node) => [requiredChild(node, 'alias'), ' AS ', requiredChild(node, 'this')],
  // The tree keeps too little of these to write them anew.
  TableSample: printSource,
  Version: printSource,
  TableHint: (node, context) =>
    context.source === undefined ? [node.value ?? ''] : printSource(node, context),
};

const PRINTERS: Readonly<Record<string, LayOut>> = {
  ...QUERIES,
  ...RELATIONS,
  ...CLAUSES,
  ...NAMES,
  ...LITERALS,
  ...OPERATORS,
  ...EXPRESSIONS,
};

function printJoin(node: PrintableNode): readonly Part[] {
  const { method, side, kind, comma } = node.flags;
  const relation = requiredChild(node, 'this');
  // The comma itself is written by what holds the list of joins.
  if (comma !== undefined) return [relation];
  const word = kind === 'STRAIGHT' ? 'STRAIGHT_JOIN' : [method, side, kind, 'JOIN'].filter(Boolean).join(' ');
  const match = childOf(node, 'match_condition');
  const on = childOf(node, 'on');
  const using = childrenOf(node, 'using');
  return [
    `${word} `,
    relation,
    ...(match === undefined ? [] : [' MATCH_CONDITION ', match]),
    ...(on === undefined ? [] : [' ON ', on]),
    ...(using.length === 0 ? [] : [' USING (', ...listed(using), ')']),
  ];
}

const NAME_ROLES: ReadonlySet<string> = new Set(['catalog', 'db', 'this']);

function printTable(node: PrintableNode): readonly Part[] {
  const names = node.children.filter((child) => NAME_ROLES.has(child.role));
  const dotted = names.flatMap((name, index) => (index === 0 ? [name] : ['.', name]));
  return [...dotted, ...suffixesOf(node)];
}

/** Alias, sample, pivots, ordinality and the joins that hang on a relation, in the order of the text. */
function suffixesOf(node: PrintableNode): readonly Part[] {
  return node.children.flatMap((child): readonly Part[] => {
    switch (child.role) {
      case 'alias':
        return [' AS ', child];
      case 'joins':
        return child.flags.comma === undefined ? [' ', child] : [', ', child];
      case 'pivots':
      case 'sample':
      case 'version':
      case 'hints':
        return [' ', child];
      case 'ordinality':
        return [' WITH ORDINALITY'];
      case 'offset':
        return child.type === 'Identifier' ? [' WITH OFFSET AS ', child] : [];
      default:
        return [];
    }
  });
}

/** `t`, `t(a, b)`, and PostgreSQL's `(a int)` without a name. */
function printTableAlias(node: PrintableNode): readonly Part[] {
  const name = childOf(node, 'this');
  const columns = childrenOf(node, 'columns');
  const list = columns.length === 0 ? [] : ['(', ...listed(columns), ')'];
  return name === undefined ? list : [name, ...list];
}

function wordOf(node: PrintableNode): string {
  return node.flags.unpivot === undefined ? 'PIVOT' : 'UNPIVOT';
}

function printPivot(node: PrintableNode): readonly Part[] {
  const group = childrenOf(node, 'group');
  return [
    `${wordOf(node)} (`,
    ...listed(childrenOf(node, 'expressions')),
    ...childrenOf(node, 'fields').flatMap((field) => [' FOR ', field]),
    ...(group.length === 0 ? [] : [' GROUP BY ', ...listed(group)]),
    ')',
  ];
}

/** DuckDB's `PIVOT t ON year USING SUM(x) GROUP BY y`. */
function printPivotStatement(node: PrintableNode): readonly Part[] {
  const clause = (word: string, role: 'fields' | 'expressions' | 'group'): readonly Part[] => {
    const items = childrenOf(node, role);
    return items.length === 0 ? [] : [` ${word} `, ...listed(items)];
  };
  return [
    ...withOf(node),
    `${wordOf(node)} `,
    requiredChild(node, 'this'),
    ...clause('ON', 'fields'),
    ...clause('USING', 'expressions'),
    ...clause('GROUP BY', 'group'),
    ...endOf(node),
  ];
}

function printPivotIn(node: PrintableNode): readonly Part[] {
  const field = requiredChild(node, 'this');
  const items = childrenOf(node, 'expressions');
  const [only] = items;
  if (node.value === 'ANY') return [field, ' IN (ANY', ...(only === undefined ? [] : [' ', only]), ')'];
  if (items.length === 1 && only?.type === 'Identifier') return [field, ' IN ', only];
  return [field, ' IN (', ...listed(items), ')'];
}

/** The pattern itself stands in the value. */
function printRowPattern(node: PrintableNode): readonly Part[] {
  const clause = (words: string, role: 'partition_by' | 'expressions'): readonly Part[] => {
    const items = childrenOf(node, role);
    return items.length === 0 ? [] : [words, ...listed(items), ' '];
  };
  const order = childOf(node, 'order');
  const alias = childOf(node, 'alias');
  return [
    'MATCH_RECOGNIZE (',
    ...clause('PARTITION BY ', 'partition_by'),
    ...(order === undefined ? [] : [order, ' ']),
    ...clause('MEASURES ', 'expressions'),
    `${node.value ?? ''} DEFINE `,
    ...listed(childrenOf(node, 'fields')),
    ')',
    ...(alias === undefined ? [] : [' AS ', alias]),
  ];
}
