import type { Expression, OrderItem, Predicate, Query, SelectQuery } from '../../sql/print/index.ts';

/** What a query asks for, slot by slot; two queries with equal slots mean the same, however they are written. */
export interface Meaning {
  /** The figures or columns that are shown, and by what they are ranked. */
  readonly measure: string;
  /** What one row stands for. */
  readonly grain: string;
  /** The period, with the column that tells it. */
  readonly time: string;
  /** Every other condition. */
  readonly filter: string;
}

type MeaningSlot = keyof Meaning;

/** What of a schema tells that two columns, or two grains, are one; columns as `table.column`. */
export interface MeaningSchema {
  readonly tables: readonly { readonly id: string; readonly primaryKey: readonly string[] }[];
  readonly foreignKeys: readonly {
    readonly fromColumns: readonly string[];
    readonly toColumns: readonly string[];
  }[];
}

/**
 * The meaning of a query without its way of saying it: the route of its joins, DISTINCT over rows, the case and the
 * wildcards of a value, and the end of a key that a column stands at do not count. Source: overview §5.
 */
export function meaningOf(query: Query, schema: MeaningSchema): Meaning {
  return ofQuery(query, namingOf(schema));
}

/** What a query tells of each of its groups, however it names them. */
export interface GroupMeaning {
  /** Equal where two queries give the same figures of the same groups. */
  readonly figure: string;
  /** More is shown of a group than its key. */
  readonly showsNames: boolean;
}

/**
 * The meaning of a query apart from the columns that only name its groups: who asks for sales by customer is content with the
 * key of a customer and with the name. Undefined where no group is named beside a figure, or a ranking by one.
 */
export function groupMeaningOf(query: Query, schema: MeaningSchema): GroupMeaning | undefined {
  if (query.kind !== 'select') return undefined;
  const naming = namingOf(schema);
  const { said } = readerOf(query, naming);
  // Beside a second key the columns tell of a link between two things, and no one takes either for a name of it.
  const keys = query.groupBy.map((item) => naming.keyed([said(item)])).filter(({ length }) => length > 0);
  const [keyed] = keys;
  if (keyed === undefined || keys.length > 1) return undefined;
  const isKey = (column: string): boolean => naming.keyed([column]).some((table) => keyed.includes(table));
  const isLabel = (column: string): boolean =>
    isKey(column) || keyed.some((table) => column.startsWith(`${table}.`));
  const labels = query.select.filter(
    ({ expression: { kind }, expression }) => kind === 'column' && isLabel(said(expression)),
  );
  const figures = query.select.filter((item) => !labels.includes(item));
  const isFigure = ({ expression }: { readonly expression: Expression }): boolean =>
    expression.kind === 'aggregate';
  if (labels.length === 0 || ![...figures, ...query.orderBy].some(isFigure)) return undefined;
  return {
    figure: meaningKey(meaningOf({ ...query, select: figures }, schema)),
    showsNames: labels.some(({ expression }) => !isKey(said(expression))),
  };
}

/** One text for equal meanings. */
export function meaningKey({ measure, grain, time, filter }: Meaning): string {
  return [measure, grain, time, filter].join(' | ');
}

interface Naming {
  /** One name for the two ends of a key. */
  name(column: string): string;
  /** Tables whose whole key is among the columns: a row of them each, whatever else is grouped by. */
  keyed(columns: readonly string[]): readonly string[];
}

function namingOf({ tables, foreignKeys }: MeaningSchema): Naming {
  const parent = new Map<string, string>();
  const root = (name: string): string => {
    let at = name;
    for (let up = parent.get(at); up !== undefined; up = parent.get(at)) at = up;
    return at;
  };
  const links = foreignKeys.flatMap(({ fromColumns, toColumns }) =>
    fromColumns.map((from, at) => [from, toColumns[at] ?? from] as const),
  );
  for (const [left, right] of links) {
    const [first = '', second = ''] = [root(left.toLowerCase()), root(right.toLowerCase())].sort();
    if (first !== second) parent.set(second, first);
  }
  return {
    name: (column) => root(column.toLowerCase()),
    keyed: (columns) =>
      tables
        .filter(
          ({ primaryKey }) => primaryKey.length > 0 && primaryKey.every((id) => columns.includes(root(id))),
        )
        .map(({ id }) => id),
  };
}

function ofSelect(query: SelectQuery, naming: Naming): Meaning {
  const within = (query.ctes ?? []).map((cte) => ofQuery(cte.query, naming));
  const own = readerOf(query, naming);
  const conditions = [...query.where, ...query.having].flatMap((predicate) => own.conditions(predicate));
  const [times, filters] = [
    conditions.filter(({ isTime }) => isTime),
    conditions.filter(({ isTime }) => !isTime),
  ];
  const shown = sorted(query.select.map(({ expression }) => own.said(expression)));
  const ranked = query.orderBy.map((item) => own.ordered(item)).join(', ');
  const cut = query.limit === undefined ? '' : ` first ${query.limit}`;
  const measure = `${shown}${ranked === '' ? '' : ` by ${ranked}`}${cut}`;
  const joined = (...texts: readonly string[]): string => texts.filter(Boolean).join('; ');
  return {
    measure: joined(measure, ...within.map((inner) => inner.measure)),
    grain: joined(
      grainOf(
        query.groupBy.map((item) => own.said(item)),
        naming,
      ),
      ...within.map((inner) => inner.grain),
    ),
    time: joined(sorted(times.map(({ text }) => text)), ...within.map((inner) => inner.time)),
    filter: joined(sorted(filters.map(({ text }) => text)), ...within.map((inner) => inner.filter)),
  };
}

function ofQuery(query: Query, naming: Naming): Meaning {
  if (query.kind === 'select') return ofSelect(query, naming);
  const [left, right] = [ofQuery(query.left, naming), ofQuery(query.right, naming)];
  const both = (slot: MeaningSlot): string =>
    left[slot] === right[slot] ? left[slot] : `${query.operator}(${left[slot]}, ${right[slot]})`;
  return { measure: both('measure'), grain: both('grain'), time: both('time'), filter: both('filter') };
}

/** Beside the key of a table its other columns tell nothing apart. */
function grainOf(columns: readonly string[], naming: Naming): string {
  const keyed = naming.keyed(columns);
  const isKey = (column: string): boolean => naming.keyed([column]).length > 0;
  return sorted(
    columns.filter((column) => isKey(column) || !keyed.some((table) => column.startsWith(`${table}.`))),
  );
}

interface Condition {
  readonly text: string;
  readonly isTime: boolean;
}

interface Reader {
  said(expression: Expression): string;
  ordered(item: OrderItem): string;
  conditions(predicate: Predicate): readonly Condition[];
}

function readerOf(query: SelectQuery, naming: Naming): Reader {
  const tables = new Map(
    [query.from, ...query.joins.map(({ table }) => table)].map(({ table, alias }) => [alias ?? table, table]),
  );
  // A table that stands twice is told apart by its place.
  const standsTwice = (table: string): boolean =>
    [...tables.values()].filter((one) => one === table).length > 1;
  const column = (alias: string, name: string): string => {
    const table = tables.get(alias) ?? alias;
    const place = standsTwice(table) ? ` of ${alias}` : '';
    return `${naming.name(`${table}.${name}`)}${place}`.toLowerCase();
  };
  const said = (expression: Expression): string => saidBy(expression, column, naming);
  return {
    said,
    ordered: ({ expression, direction }) => `${said(expression)} ${direction}`,
    conditions: (predicate) => conditionsOf(predicate, said, naming),
  };
}

type ColumnName = (alias: string, name: string) => string;

function saidBy(expression: Expression, column: ColumnName, naming: Naming): string {
  const said = (inner: Expression): string => saidBy(inner, column, naming);
  switch (expression.kind) {
    case 'column':
      return column(expression.table, expression.column);
    case 'star':
      return '*';
    case 'literal':
      return valueText(expression.value);
    case 'date':
      return expression.value;
    case 'aggregate':
      return `${expression.function}(${expression.distinct ? 'distinct ' : ''}${said(expression.argument)})`;
    case 'raw':
      return expression.sql.replace(/\s+/g, ' ').toLowerCase();
    case 'date-part':
      return `${expression.part}(${said(expression.argument)})`;
    case 'days-between':
      return `days(${said(expression.from)}, ${said(expression.until)})`;
    case 'from-epoch':
      return `moment(${said(expression.argument)})`;
    case 'arithmetic':
      return `(${said(expression.left)} ${expression.operator} ${said(expression.right)})`;
    case 'case': {
      const when = conditionsOf(expression.when, said, naming).map(({ text }) => text);
      return `if(${sorted(when)}, ${said(expression.value)}, ${expression.otherwise ? said(expression.otherwise) : 'null'})`;
    }
    case 'subquery':
      return meaningKey(ofQuery(expression.query, naming));
    case 'window': {
      const parts = [expression.argument, ...expression.partitionBy].flatMap((part) =>
        part ? [said(part)] : [],
      );
      const order = expression.orderBy.map((item) => `${said(item.expression)} ${item.direction}`);
      return `${expression.function}(${parts.join(', ')} by ${order.join(', ')})`;
    }
  }
}

function conditionsOf(
  predicate: Predicate,
  said: (expression: Expression) => string,
  naming: Naming,
): readonly Condition[] {
  const inner = (part: Predicate): readonly Condition[] => conditionsOf(part, said, naming);
  const one = (text: string, ...parts: readonly Expression[]): readonly Condition[] => [
    { text, isTime: parts.some(tellsTime) },
  ];
  switch (predicate.kind) {
    case 'and':
      return predicate.parts.flatMap(inner);
    case 'or': {
      const parts = predicate.parts.map(inner);
      const text = `(${parts
        .map((part) => sorted(part.map((item) => item.text)))
        .sort()
        .join(' or ')})`;
      return [{ text, isTime: parts.every((part) => part.every(({ isTime }) => isTime)) }];
    }
    case 'compare': {
      const { operator, left, right } = predicate;
      return one(`${said(left)} ${operator} ${said(right)}`, left, right);
    }
    case 'between':
      return [
        ...one(`${said(predicate.value)} >= ${said(predicate.low)}`, predicate.value, predicate.low),
        ...one(`${said(predicate.value)} <= ${said(predicate.high)}`, predicate.value, predicate.high),
      ];
    case 'like': {
      const value = valueText(predicate.pattern.replace(/(?<!\\)[%_]/g, '').replaceAll('\\', ''));
      return one(`${said(predicate.value)} ${predicate.negated ? '<>' : '='} ${value}`);
    }
    case 'null':
      return one(`${said(predicate.value)} ${predicate.negated ? 'is not' : 'is'} null`);
    case 'in': {
      const values = predicate.values.map(said);
      const operator = predicate.negated ? '<>' : '=';
      return one(
        `${said(predicate.value)} ${operator} ${values.sort().join(' or ')}`,
        predicate.value,
        ...predicate.values,
      );
    }
    case 'in-query':
      return inQuery(predicate, said, naming);
    case 'raw':
      return one(predicate.sql.replace(/\s+/g, ' ').toLowerCase());
  }
}

/** Rows that have a match are the rows of the join: only the conditions inside count. */
function inQuery(
  { value, query, negated }: Extract<Predicate, { readonly kind: 'in-query' }>,
  said: (expression: Expression) => string,
  naming: Naming,
): readonly Condition[] {
  const isPlain =
    query.kind === 'select' &&
    query.groupBy.length === 0 &&
    query.having.length === 0 &&
    query.limit === undefined;
  if (!negated && isPlain) {
    const reader = readerOf(query, naming);
    return query.where.flatMap((predicate) => reader.conditions(predicate));
  }
  return [
    {
      text: `${said(value)} ${negated ? 'not in' : 'in'} (${meaningKey(ofQuery(query, naming))})`,
      isTime: false,
    },
  ];
}

function tellsTime(expression: Expression): boolean {
  return expression.kind === 'date' || expression.kind === 'date-part';
}

/** Spelling does not count: `Paris`, `paris`. */
function valueText(value: string | number | boolean | null): string {
  return JSON.stringify(typeof value === 'string' ? value.normalize('NFC').trim().toLowerCase() : value);
}

function sorted(texts: readonly string[]): string {
  return [...new Set(texts)].sort().join(', ');
}
