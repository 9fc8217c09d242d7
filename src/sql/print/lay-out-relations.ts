/** FROM and what stands in it: tables, joins, subqueries, functions, pivots. */
import { layOutAsWritten } from './lay-out-as-written.ts';
import { endOf, withOf } from './lay-out-queries.ts';
import {
  childOf,
  childrenOf,
  type LayOut,
  listed,
  type Part,
  type PrintableNode,
  requiredChild,
} from './printable.ts';

export const RELATIONS: Readonly<Record<string, LayOut>> = {
  From: (node) => ['FROM ', requiredChild(node, 'this')],
  Join: layOutJoin,
  Subquery: (node) => [
    ...withOf(node),
    '(',
    requiredChild(node, 'this'),
    ')',
    ...endOf(node),
    ...suffixesOf(node),
  ],
  Table: layOutTable,
  TableAlias: layOutTableAlias,
  Unnest: (node) => ['UNNEST(', ...listed(childrenOf(node, 'expressions')), ')', ...suffixesOf(node)],
  Lateral: (node) => ['LATERAL ', requiredChild(node, 'this'), ...suffixesOf(node)],
  TableFromRows: (node) => {
    const call = childOf(node, 'this');
    const inside =
      call === undefined ? ['ROWS FROM (', ...listed(childrenOf(node, 'expressions'))] : ['TABLE(', call];
    return [...inside, ')', ...suffixesOf(node)];
  },
  Pivot: (node) => (childOf(node, 'this') === undefined ? layOutPivot(node) : layOutPivotStatement(node)),
  PivotIn: layOutPivotIn,
  MatchRecognize: layOutRowPattern,
  PatternDefinition: (node) => [requiredChild(node, 'alias'), ' AS ', requiredChild(node, 'this')],
  // The tree keeps too little of these to write them anew.
  TableSample: layOutAsWritten,
  Version: layOutAsWritten,
  TableHint: (node, context) =>
    context.source === undefined ? [node.value ?? ''] : layOutAsWritten(node, context),
};

function layOutJoin(node: PrintableNode): readonly Part[] {
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

function layOutTable(node: PrintableNode): readonly Part[] {
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
function layOutTableAlias(node: PrintableNode): readonly Part[] {
  const name = childOf(node, 'this');
  const columns = childrenOf(node, 'columns');
  const list = columns.length === 0 ? [] : ['(', ...listed(columns), ')'];
  return name === undefined ? list : [name, ...list];
}

function wordOf(node: PrintableNode): string {
  return node.flags.unpivot === undefined ? 'PIVOT' : 'UNPIVOT';
}

function layOutPivot(node: PrintableNode): readonly Part[] {
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
function layOutPivotStatement(node: PrintableNode): readonly Part[] {
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

function layOutPivotIn(node: PrintableNode): readonly Part[] {
  const field = requiredChild(node, 'this');
  const items = childrenOf(node, 'expressions');
  const [only] = items;
  if (node.value === 'ANY') return [field, ' IN (ANY', ...(only === undefined ? [] : [' ', only]), ')'];
  if (items.length === 1 && only?.type === 'Identifier') return [field, ' IN ', only];
  return [field, ' IN (', ...listed(items), ')'];
}

/** The pattern itself stands in the value. */
function layOutRowPattern(node: PrintableNode): readonly Part[] {
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
