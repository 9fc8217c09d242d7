/** What the parts of a query say: the names, values and structure that words of a question can be found in. */

import type { SchemaFacts } from '../../../faults/index.ts';
import { type ReadQuery, writtenText } from '../../../faults/reading/index.ts';
import type { SemanticModel } from '../../../knowledge/semantic/index.ts';
import { foldedWords } from '../../../knowledge/values/index.ts';
import { splitName, stemOf } from '../../../language/index.ts';
import { isInField } from '../../../reasoning/grounded/question/vocabulary/index.ts';
import type { Span } from '../../../sql/dialects/index.ts';
import { ancestor, type SqlNode } from '../../../sql/tree/index.ts';
import { QueryUses } from '../../rules/definitions/query-uses.ts';
import { add, addName, descriptionsOf, endsAreKeys, namesFor, otherColumnsIn } from './query-names.ts';

/** What the shape of a query does, whatever its names are. */
export type Mark =
  | 'count'
  | 'sum'
  | 'average'
  | 'maximum'
  | 'minimum'
  | 'median'
  | 'percentile'
  | 'distinct'
  /** Rows that are equal are shown once: not the DISTINCT of a figure. */
  | 'shown-once'
  | 'group'
  | 'ascending'
  | 'descending'
  | 'limit'
  | 'offset'
  | 'greater'
  | 'less'
  | 'equal'
  | 'between'
  | 'pattern'
  | 'null'
  | 'not'
  /** A value that says no: `'N'`, `0`, `'false'`. */
  | 'negative'
  /** `IS NOT NULL` */
  | 'present'
  | 'or'
  /** Something is looked for among the rows of another query, or one column is compared with another. */
  | 'paired'
  /** One time of a row is compared with another one of it. */
  | 'paired-times'
  /** A table is looked through for its own rows: who reports to whom. */
  | 'self'
  | 'ratio'
  | 'difference'
  | 'rank'
  | 'window'
  | 'date'
  /** The day of a week is computed. */
  | 'weekday'
  /** A figure that is shown, not one that something is compared with. */
  | 'shown-figure';

/** A text or number that the query compares with. */
export interface LiteralPart extends Span {
  readonly text: string;
  readonly isText: boolean;
  /** `table.column` it is compared with, where that is known. */
  readonly columnIds: readonly string[];
  readonly node: SqlNode;
}

export interface QueryParts {
  /** Stems of the names of all that the query reads, with the places that read it. */
  readonly names: ReadonlyMap<string, readonly Span[]>;
  /** Words of these names as they are written. */
  readonly spellings: ReadonlySet<string>;
  /** Stems of the names of tables alone. */
  readonly tableNames: ReadonlySet<string>;
  /** Stems of the names of columns alone. */
  readonly columnNames: ReadonlySet<string>;
  /** Stems of the names of columns that hold numbers and are no keys. */
  readonly figureNames: ReadonlySet<string>;
  /** Stems of the names of flags that the query asks to be off, with where it does. */
  readonly deniedFlags: ReadonlyMap<string, readonly Span[]>;
  /** Stems of the names of tables that each row of what is read belongs to: "the moves of wrestlers" over moves alone. */
  readonly owners: ReadonlySet<string>;
  /** Stems of what each row has one of, and of its own where rows are counted: "players" over one row for each. */
  readonly rowNouns: ReadonlySet<string>;
  /** Rows are people by their columns, and no table that is read is called so: a band with first names. */
  readonly hasUnnamedPeople: boolean;
  /** The same for what is merely written about it: comments and descriptions. */
  readonly described: ReadonlyMap<string, readonly Span[]>;
  readonly literals: readonly LiteralPart[];
  readonly marks: ReadonlyMap<Mark, readonly Span[]>;
  /** Times of what the rows read belong to, while the rows have times of their own: the day a depot was opened is not when it shipped. */
  readonly farTimes: ReadonlySet<string>;
  /** Stems of the names of times that tables which are read have, and that the query does not read. */
  readonly otherTimes: ReadonlySet<string>;
  /** Columns and tables that are read, by id. */
  readonly ids: ReadonlySet<string>;
  /** Names in one word of columns that tables which are read have, and that the query does not read. */
  readonly otherColumns: ReadonlySet<string>;
  /** Tables that are read. */
  readonly tableCount: number;
  /** The ends that are looked for are those of keys. */
  readonly endsAreKeys: boolean;
}

export function readQueryParts(query: ReadQuery, schema: SchemaFacts, semantics: SemanticModel): QueryParts {
  const uses = new QueryUses(query, schema, semantics);
  const places = placesById(uses, schema);
  const names = new Map<string, Span[]>();
  const described = new Map<string, Span[]>();
  const columnNames = new Map<string, Span[]>();
  const tableNames = new Map<string, Span[]>();
  const spellings = new Set<string>();
  for (const [id, spans] of places) {
    const own = namesFor(id, schema, semantics);
    for (const name of own) addName(names, name, spans);
    const ofKind = schema.columns.has(id) ? columnNames : tableNames;
    for (const name of own) addName(ofKind, name, spans);
    for (const word of own.flatMap(splitName)) spellings.add(word);
    for (const text of descriptionsOf(id, schema, semantics))
      for (const word of foldedWords(text)) add(described, stemOf(word), spans);
  }
  for (const node of uses.nodes)
    if (node.type === 'Alias' || node.type === 'CTE')
      for (const part of node.children) if (part.role === 'alias') addName(names, aliasName(part), []);
  const marks = marksIn(uses);
  return {
    ...{ names, described, literals: literalsIn(query, uses), marks },
    rowNouns: rowNounsIn([...places.keys()], schema, marks.has('count')),
    hasUnnamedPeople: hasUnnamedPeople([...places.keys()], schema),
    spellings,
    columnNames: new Set(columnNames.keys()),
    tableNames: new Set(tableNames.keys()),
    figureNames: figureNamesIn([...places.keys()], schema, semantics),
    deniedFlags: deniedFlagsIn(uses, schema),
    owners: ownersOf([...places.keys()], schema, semantics),
    farTimes: farTimesOf([...places.keys()], schema),
    otherTimes: otherTimesIn(places, schema),
    ids: new Set(places.keys()),
    otherColumns: otherColumnsIn(places, schema),
    tableCount: [...places.keys()].filter((id) => schema.tables.has(id)).length,
    endsAreKeys: endsAreKeys(uses, schema),
  };
}

function aliasName(node: SqlNode): string {
  return node.value ?? node.children[0]?.value ?? '';
}

function otherTimesIn(
  places: ReadonlyMap<string, readonly Span[]>,
  { tables }: SchemaFacts,
): ReadonlySet<string> {
  const columns = [...places.keys()].flatMap((id) => tables.get(id)?.columns ?? []);
  const others = columns.filter((column) => isTime(column) && !places.has(column.id));
  return new Set(others.flatMap(({ name }) => splitName(name).map(stemOf)));
}

function farTimesOf(ids: readonly string[], { catalog }: SchemaFacts): ReadonlySet<string> {
  const read = catalog.tables.filter(({ id }) => ids.includes(id));
  const timed = new Set(read.filter(({ columns }) => columns.some(isTime)).map(({ id }) => id));
  const far = catalog.foreignKeys
    .filter(
      ({ fromTable, toTable }) => fromTable !== toTable && timed.has(fromTable) && ids.includes(toTable),
    )
    .map(({ toTable }) => toTable);
  return new Set(
    read
      .filter(({ id, name }) => far.includes(id) && !CALENDAR.test(name))
      .flatMap(({ columns }) => columns.map(({ id }) => id)),
  );
}

const CALENDAR = /date|time|calendar|year|month|day|period|season|quarter/i;

function isTime({ family, name }: SchemaFacts['catalog']['tables'][number]['columns'][number]): boolean {
  return family === 'time' || /date|_at$|_on$|_dt$|_ts$|time|year/i.test(name);
}

/** Each row of a table belongs to one of every table that its keys point to. */
function ownersOf(
  ids: readonly string[],
  schema: SchemaFacts,
  semantics: SemanticModel,
): ReadonlySet<string> {
  const { database, foreignKeys } = schema.catalog;
  const owners = foreignKeys.filter(({ fromTable }) => ids.includes(fromTable)).map(({ toTable }) => toTable);
  const names = new Map<string, Span[]>();
  for (const name of [...owners.flatMap((id) => namesFor(id, schema, semantics)), database])
    addName(names, name, []);
  return new Set(names.keys());
}

/** Words of text columns; of those in which no value is twice where rows are counted: counting them is counting rows. */
function rowNounsIn(
  ids: readonly string[],
  { tables }: SchemaFacts,
  isCounted: boolean,
): ReadonlySet<string> {
  const own = ids.flatMap((id) => {
    const { columns = [], rowCount = 0 } = tables.get(id) ?? {};
    return columns.filter(
      ({ family, profile }) =>
        family === 'text' && (!isCounted || (rowCount > 0 && profile?.distinctCount === rowCount)),
    );
  });
  return new Set(own.flatMap(({ name }) => splitName(name).map(stemOf)));
}

function hasUnnamedPeople(ids: readonly string[], { tables }: SchemaFacts): boolean {
  const read = ids.flatMap((id) => tables.get(id) ?? []);
  const isPerson = ({ name }: { readonly name: string }): boolean =>
    splitName(name).some((word) => isInField(word, 'person'));
  return (
    read.some(({ columns }) => columns.some(({ name }) => PERSON_NAME.test(name))) && !read.some(isPerson)
  );
}

const PERSON_NAME = /^(?:first|last|fore|given|sur|family)_?name$|^[fl]name$/i;

function figureNamesIn(
  ids: readonly string[],
  schema: SchemaFacts,
  semantics: SemanticModel,
): ReadonlySet<string> {
  const { catalog } = schema;
  const keys = new Set([
    ...catalog.foreignKeys.flatMap(({ fromColumns }) => fromColumns),
    ...catalog.tables.flatMap(({ primaryKey }) => primaryKey),
  ]);
  const own = ids.filter((id) => schema.columns.get(id)?.family === 'number' && !keys.has(id));
  const names = new Map<string, Span[]>();
  for (const name of own.flatMap((id) => namesFor(id, schema, semantics))) addName(names, name, []);
  return new Set(names.keys());
}

/** `active = 0`, `NOT active`, where active is one of two values. */
function deniedFlagsIn(uses: QueryUses, { columns }: SchemaFacts): ReadonlyMap<string, readonly Span[]> {
  const flags = new Map<string, Span[]>();
  for (const { id, node } of uses.mentions) {
    const { parent } = node;
    const column = columns.get(id);
    const isFlag = column?.family === 'boolean' || (column?.profile?.distinctCount ?? Infinity) <= 2;
    if (column === undefined || parent === undefined || !isFlag) continue;
    const isOff =
      parent.type === 'Not' ||
      (/^(?:EQ|Is)$/.test(parent.type) && parent.children.some(({ value }) => OFF.test(value ?? '')));
    if (isOff) for (const word of splitName(column.name)) add(flags, stemOf(word), [parent]);
  }
  return flags;
}

const OFF = /^(?:0|n|no|false)$/i;

/** Columns by `table.column`, tables by their id, with the places in the text that read them. */
function placesById(uses: QueryUses, { catalog }: SchemaFacts): ReadonlyMap<string, readonly Span[]> {
  const places = new Map<string, Span[]>();
  for (const { id, node } of uses.mentions) add(places, id, [node]);
  const tables = new Map(catalog.tables.map((table) => [table.name.toLowerCase(), table]));
  for (const node of uses.nodes) {
    if (node.type !== 'Table') continue;
    const name = node.children.find(({ role }) => role === 'this')?.value?.toLowerCase() ?? '';
    const table = tables.get(name);
    if (table === undefined) continue;
    add(places, table.id, [node]);
  }
  for (const node of uses.nodes) {
    // `SELECT *` shows every column; `COUNT(*)` none.
    if (node.type !== 'Star' || ancestor(node, ({ type }) => type === 'Count') !== undefined) continue;
    for (const { table } of uses.sources)
      for (const column of catalog.tables.find(({ id }) => id === table?.id)?.columns ?? [])
        add(places, column.id, [node]);
  }
  return places;
}

function literalsIn(query: ReadQuery, uses: QueryUses): readonly LiteralPart[] {
  return uses.nodes.flatMap((node) => {
    const written = writtenText(node, query);
    if (written === undefined && node.type !== 'Literal') return [];
    // `GROUP BY 1` names a column by its place.
    if (node.parent?.type === 'Group' || node.parent?.type === 'Ordered') return [];
    const { start, end } = node;
    const columnIds = comparedColumns(node, uses);
    // No words are looked for in a key or a number: whoever wrote the pattern did not know where.
    if (node.parent && PATTERNS.has(node.parent.type) && columnIds.some((id) => isNumber(id, uses)))
      return [];
    return [{ text: written ?? signed(node), isText: written !== undefined, columnIds, start, end, node }];
  });
}

function signed({ value = '', parent }: SqlNode): string {
  return parent?.type === 'Neg' ? `-${value}` : value;
}

const PATTERNS = new Set('Like ILike Glob SimilarTo'.split(' '));

function isNumber(id: string, { schema }: QueryUses): boolean {
  return schema.columns.get(id)?.family === 'number';
}

/** Columns that stand beside a literal in its comparison. */
function comparedColumns(node: SqlNode, uses: QueryUses): readonly string[] {
  const comparison = ancestor(node, ({ type }) => COMPARING.has(type));
  if (comparison === undefined) return [];
  return [...uses.mentions]
    .filter(({ node: column }) => column.start >= comparison.start && column.end <= comparison.end)
    .map(({ id }) => id);
}

const COMPARING = new Set(
  'EQ NEQ GT GTE LT LTE In Like ILike Glob Between Is NullSafeEQ NullSafeNEQ'.split(' '),
);

function marksIn(uses: QueryUses): ReadonlyMap<Mark, readonly Span[]> {
  const marks = new Map<Mark, Span[]>();
  for (const node of uses.nodes) {
    const weekday: readonly Mark[] = WEEKDAY.test(`${node.type} ${node.value ?? ''}`) ? ['weekday'] : [];
    const found = [...marksAt(node), ...pairMarks(node, uses), ...weekday];
    for (const mark of found) add(marks, mark, [node]);
    if (found.some((mark) => FIGURES.has(mark)) && ancestor(node, isCondition) === undefined)
      add(marks, 'shown-figure', [node]);
  }
  return marks;
}

const WEEKDAY = /%[wuaA]|\b(?:iso)?dow\b|day_?of_?week|week_?day|day_?name/i;

const COMPARISONS = new Set('EQ NEQ GT GTE LT LTE In'.split(' '));

/** What is compared with what, where it is no join that does it. */
function pairMarks(node: SqlNode, uses: QueryUses): readonly Mark[] {
  if (node.type === 'Intersect') return ['paired'];
  if (!COMPARISONS.has(node.type)) return [];
  if (ancestor(node, ({ type }) => type === 'Subquery' || type === 'Join')?.type === 'Join') return [];
  const [left, right] = node.children;
  const isQuery = node.children.some(
    ({ type, role }) => type === 'Subquery' || type === 'Select' || role === 'query',
  );
  const times = [left, right].map((side) => timeColumn(side, uses));
  const isColumns = left?.type === 'Column' && right?.type === 'Column';
  const marks: Mark[] = isQuery || isColumns ? ['paired'] : [];
  if (times.every((id) => id !== undefined) && times[0] !== times[1]) marks.push('paired-times');
  if (isQuery && readsItself(node, uses)) marks.push('self');
  return marks;
}

/** The only column of a side, where it holds times. */
function timeColumn(side: SqlNode | undefined, uses: QueryUses): string | undefined {
  if (side === undefined) return undefined;
  const inside = [...uses.mentions].filter(({ node }) => node.start >= side.start && node.end <= side.end);
  const [only] = inside;
  const column = only && inside.length === 1 ? uses.schema.columns.get(only.id) : undefined;
  return column !== undefined && isTime(column) ? column.id : undefined;
}

function readsItself(node: SqlNode, uses: QueryUses): boolean {
  const inside = [...uses.mentions].filter(({ node: one }) => one.start >= node.start && one.end <= node.end);
  const tables = new Set(inside.map(({ id }) => uses.schema.columns.get(id)?.tableId));
  const keys = new Set(inside.map(({ id }) => id));
  return tables.size === 1 && keys.size > 1;
}

const FIGURES: ReadonlySet<Mark> = new Set([
  'count',
  'sum',
  'average',
  'maximum',
  'minimum',
  'median',
  'percentile',
] as const);

function isCondition({ type }: SqlNode): boolean {
  return type === 'Where' || type === 'Having' || type === 'Order';
}

const BY_TYPE: Readonly<Record<string, readonly Mark[]>> = {
  Count: ['count'],
  CountIf: ['count'],
  Sum: ['sum'],
  Total: ['sum'],
  Avg: ['average'],
  Max: ['maximum'],
  Min: ['minimum'],
  ArgMax: ['maximum'],
  ArgMin: ['minimum'],
  Median: ['median'],
  PercentileCont: ['percentile', 'median'],
  PercentileDisc: ['percentile', 'median'],
  ApproxQuantile: ['percentile', 'median'],
  Quantile: ['percentile', 'median'],
  PercentRank: ['percentile', 'rank'],
  Ntile: ['percentile', 'rank'],
  CumeDist: ['percentile', 'rank'],
  Group: ['group'],
  Limit: ['limit'],
  Fetch: ['limit'],
  Offset: ['offset'],
  GT: ['greater'],
  GTE: ['greater'],
  LT: ['less'],
  LTE: ['less'],
  EQ: ['equal'],
  In: ['equal'],
  Is: ['equal'],
  Between: ['between', 'greater', 'less'],
  Like: ['pattern'],
  ILike: ['pattern'],
  Glob: ['pattern'],
  SimilarTo: ['pattern'],
  RegexpLike: ['pattern'],
  RegexpILike: ['pattern'],
  StartsWith: ['pattern'],
  Substring: ['pattern'],
  Left: ['pattern'],
  Instr: ['pattern'],
  StrPosition: ['pattern'],
  Null: ['null'],
  Not: ['not'],
  NEQ: ['not'],
  NullSafeNEQ: ['not'],
  Except: ['not'],
  Or: ['or'],
  Union: ['or'],
  Div: ['ratio'],
  IntDiv: ['ratio'],
  Sub: ['difference'],
  DateDiff: ['difference', 'date'],
  TimestampDiff: ['difference', 'date'],
  TsOrDsDiff: ['difference', 'date'],
  Lag: ['difference', 'window'],
  Lead: ['difference', 'window'],
  Rank: ['rank'],
  DenseRank: ['rank'],
  RowNumber: ['rank'],
  FirstValue: ['rank'],
  LastValue: ['rank'],
  NthValue: ['rank'],
  Window: ['window'],
  CurrentDate: ['date'],
  CurrentTimestamp: ['date'],
  CurrentTime: ['date'],
  TimeToStr: ['date'],
  Extract: ['date'],
  TimestampTrunc: ['date'],
  DateTrunc: ['date'],
  Year: ['date'],
  Month: ['date'],
  Day: ['date'],
  Quarter: ['date'],
  Week: ['date'],
  DayOfWeek: ['date'],
  Interval: ['date'],
};

function marksAt(node: SqlNode): readonly Mark[] {
  const { type, role, children, flags, value } = node;
  if (type === 'Literal' && NEGATIVE.test(value ?? '') && role !== 'offset') return ['negative'];
  if (type === 'Boolean' && /^false$/i.test(value ?? '')) return ['negative'];
  if (type === 'Ordered') return [flags.desc === undefined ? 'ascending' : 'descending'];
  if (role === 'partition_by') return ['group'];
  if (type === 'Distinct') return node.parent?.type === 'Select' ? ['distinct', 'shown-once'] : ['distinct'];
  if (type === 'In') return children.length > 2 ? ['equal', 'or'] : ['equal'];
  if (type === 'Anonymous') return namedMarks(value ?? '');
  if (type === 'Join' && flags.kind === 'ANTI') return ['not'];
  // `IS NOT NULL` says that something is there.
  if (type === 'Not' && isNullCheck(children[0])) return ['present'];
  if (type === 'Null') return node.parent?.parent?.type === 'Not' ? [] : ['null'];
  if ((type === 'LT' || type === 'LTE') && isTurned(node)) return ['less', 'greater'];
  if ((type === 'GT' || type === 'GTE') && isTurned(node)) return ['greater', 'less'];
  if (type === 'Select' && isCompared(node)) return ['rank'];
  return Object.hasOwn(BY_TYPE, type) ? (BY_TYPE[type] ?? []) : [];
}

function isNullCheck(node: SqlNode | undefined): boolean {
  const inner = node?.type === 'Paren' ? node.children[0] : node;
  return inner?.type === 'Is' && inner.children.some(({ type }) => type === 'Null');
}

/** `5 < x` and `a < b` say that something is greater, too; `x < 5` and `x < (SELECT …)` do not. */
function isTurned({ children: [left, right] }: SqlNode): boolean {
  const isOpen = right?.type !== 'Literal' && right?.type !== 'Subquery' && right?.type !== 'Paren';
  return isOpen || left?.type === 'Literal' || left?.type === 'Subquery';
}

/** `x = (SELECT MAX(y) …)`, `x >= ALL (…)`: a comparison with one row of an order. */
function isCompared({ parent }: SqlNode): boolean {
  return parent?.type === 'All' || parent?.parent?.type === 'All';
}

const NEGATIVE = /^(?:n|no|f|false|0|none|not .*|un.*|in(?:active|valid).*|non.*)$/i;

function namedMarks(name: string): readonly Mark[] {
  const lower = name.toLowerCase();
  if (/median/.test(lower)) return ['median'];
  if (/percentile|quantile/.test(lower)) return ['percentile', 'median'];
  if (/date|time|year|month|day|week|strftime|quarter/.test(lower)) return ['date'];
  return [];
}
