/** Clauses and operators that only some dialects have, as data. */
import type { DialectName } from '../../dialects/dialect.ts';
import type { SqlNode } from '../../tree/node.ts';
import type { Translation } from './translation.ts';

interface Limit {
  /** What it is, for the message. */
  readonly what: string;
  /** Dialects that have it with one meaning; '' when none shares it. */
  readonly among: string;
  readonly when?: (node: SqlNode) => boolean;
}

const LISTS = 'postgres duckdb trino';
const has = (role: string) => (node: SqlNode) => node.children.some((child) => child.role === role);

const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  Qualify: [{ what: 'QUALIFY', among: 'duckdb snowflake bigquery' }],
  Distinct: [{ what: 'DISTINCT ON', among: 'postgres duckdb', when: has('on') }],
  Select: [
    { what: 'SELECT AS', among: '', when: ({ flags }) => flags.as !== undefined },
    { what: 'steps by |>', among: '', when: ({ flags }) => flags.pipe !== undefined },
  ],
  Union: [{ what: 'BY NAME', among: '', when: ({ flags }) => flags.byName !== undefined }],
  Intersect: [
    {
      what: 'INTERSECT ALL',
      among: 'postgres duckdb mysql trino',
      when: ({ flags }) => flags.all !== undefined,
    },
  ],
  Except: [
    {
      what: 'EXCEPT ALL',
      among: 'postgres duckdb mysql trino',
      when: ({ flags }) => flags.all !== undefined,
    },
  ],
  Pivot: [{ what: 'PIVOT', among: '' }],
  MatchRecognize: [{ what: 'MATCH_RECOGNIZE', among: '' }],
  TableSample: [{ what: 'a sample of a table', among: '' }],
  TableHint: [
    { what: 'a partition by its name', among: '', when: ({ flags }) => flags.kind === 'PARTITION' },
  ],
  Version: [{ what: 'a table at a time in the past', among: '' }],
  Into: [{ what: 'INTO', among: '' }],
  Connect: [{ what: 'CONNECT BY', among: '' }],
  Command: [{ what: 'a statement that writes', among: '' }],
  TableColumns: [{ what: 'COLUMNS', among: '' }],
  PositionalReference: [{ what: 'a column by its place', among: '' }],
  Unnest: [{ what: 'UNNEST in FROM', among: LISTS }],
  Lateral: [
    { what: 'LATERAL', among: 'postgres duckdb mysql trino', when: isLateralQuery },
    { what: 'LATERAL before a function', among: '', when: (node) => !isLateralQuery(node) },
  ],
  TableFromRows: [{ what: 'TABLE(…) in FROM', among: '' }],
  Comprehension: [{ what: 'a list comprehension', among: '' }],
  Let: [{ what: 'WITH as an expression', among: '' }],
  Lambda: [{ what: 'a lambda', among: '' }],
  Map: [{ what: 'MAP {…}', among: '' }],
  Struct: [{ what: 'a struct', among: '' }],
  Bracket: [{ what: 'a subscript', among: LISTS }],
  Slice: [{ what: 'a slice', among: 'postgres duckdb' }],
  Array: [{ what: 'an array', among: `${LISTS} snowflake bigquery` }],
  Dot: [{ what: 'a field of a value', among: '' }],
  JSONExtract: [{ what: 'a path into JSON', among: '' }],
  JSONExtractScalar: [{ what: 'a path into JSON', among: '' }],
  JSONKeyValue: [{ what: 'a key and value of JSON', among: '' }],
  Kwarg: [{ what: 'a named argument', among: '' }],
  Alias: [{ what: 'a named argument', among: '', when: (node) => node.parent?.flags.call !== undefined }],
  Aliases: [{ what: 'AS (…)', among: '' }],
  Any: [{ what: 'ANY', among: 'postgres duckdb mysql trino snowflake' }],
  All: [{ what: 'ALL', among: 'postgres duckdb mysql trino snowflake' }],
  Cube: [{ what: 'CUBE', among: 'postgres duckdb trino snowflake bigquery' }],
  Rollup: [{ what: 'ROLLUP', among: 'postgres duckdb trino snowflake bigquery' }],
  GroupingSets: [{ what: 'GROUPING SETS', among: 'postgres duckdb trino snowflake bigquery' }],
  Between: [{ what: 'SYMMETRIC', among: '', when: ({ flags }) => flags.symmetric !== undefined }],
  Collate: [{ what: 'COLLATE', among: '' }],
  AtTimeZone: [{ what: 'AT TIME ZONE', among: LISTS }],
  SimilarTo: [{ what: 'SIMILAR TO', among: 'postgres duckdb' }],
  RegexpLike: [{ what: 'a regular expression', among: '' }],
  RegexpILike: [{ what: 'a regular expression', among: '' }],
  Operator: [{ what: 'an operator', among: '' }],
  UnaryOperator: [{ what: 'an operator', among: '' }],
  Xor: [{ what: 'XOR', among: '' }],
  Pow: [{ what: 'a power', among: 'postgres duckdb' }],
  BitwiseNot: [{ what: '~', among: 'sqlite postgres duckdb mysql bigquery' }],
  WindowSpec: [
    {
      what: 'GROUPS or EXCLUDE in a window',
      among: 'sqlite postgres duckdb',
      when: ({ flags }) => flags.kind === 'GROUPS' || flags.exclude !== undefined,
    },
  ],
  Star: [
    { what: 'columns of a star by a pattern', among: '', when: has('condition') },
    { what: 'columns left out of a star', among: 'duckdb snowflake bigquery', when: has('except') },
    { what: 'columns replaced in a star', among: 'duckdb snowflake bigquery', when: has('replace') },
    { what: 'columns renamed in a star', among: '', when: has('rename') },
  ],
  ColumnDef: [{ what: 'columns with types', among: '', when: (node) => node.parent?.type === 'TableAlias' }],
  Tuple: [{ what: 'a row of values', among: 'sqlite postgres duckdb mysql trino bigquery snowflake' }],
  Parameter: [{ what: 'a variable', among: '' }],
  PropertyEQ: [{ what: 'an assignment', among: '' }],
  BitString: [{ what: 'a text of bits', among: 'postgres mysql' }],
};

function isLateralQuery(node: SqlNode): boolean {
  return node.children[0]?.type === 'Subquery';
}

/** Says what of the node the target does not have. */
export function reportSyntax(node: SqlNode, { from, to, unsupported }: Translation): void {
  for (const { what, among, when } of LIMITS[node.type] ?? []) {
    if (when !== undefined && !when(node)) continue;
    if (!sharesMeaning(among, from, to))
      unsupported('syntax', node, `${to} does not have ${what} as ${from} does`);
  }
}

function sharesMeaning(among: string, from: DialectName, to: DialectName): boolean {
  const dialects = among.split(' ');
  return dialects.includes(from) && dialects.includes(to);
}
