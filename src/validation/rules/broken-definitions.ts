/** What people have defined and a query does not keep to, read off its tree: certain only, and each with the definition it breaks. */
import type { ReadQuery, SchemaFacts } from '../../faults/index.ts';
import {
  columnsInSql,
  type Dataset,
  findDatasetTable,
  type Metric,
  type SemanticModel,
} from '../../knowledge/index.ts';
import { ancestor, type Source, type SqlNode } from '../../sql/index.ts';
import type { Problem } from '../problem.ts';

export interface Definitions {
  readonly semantics: SemanticModel;
  /** What the query is to answer; absent: only what holds for every question is looked at. */
  readonly question?: string | undefined;
}

/**
 * A default condition that is not applied; a metric that the question names without a condition or the time of its definition; a word
 * that stands for a stored value, compared with others only; a join by another role than the question names. What says anything at all
 * about the column of a default condition counts as having decided about it.
 */
export function findBrokenDefinitions(
  query: ReadQuery,
  schema: SchemaFacts,
  { semantics, question = '' }: Definitions,
): readonly Problem[] {
  const view = new View(query, schema, semantics);
  const words = ` ${plainWords(question)} `;
  const metrics = namedMetrics(words, semantics).flatMap((metric) => withParts(metric, semantics));
  const found = [
    ...semantics.datasets.flatMap((dataset) => defaultCondition(dataset, view)),
    ...(question === ''
      ? []
      : [
          ...metrics.flatMap((metric) => metricConditions(metric, view)),
          ...metrics.flatMap((metric) => metricTime(metric, view)),
          ...mappedValues(words, view),
          ...joinRoles(words, view),
          ...viaRoles(words, view),
        ]),
  ];
  return [...new Set(found)].map((text) => ({ kind: 'definition', severity: 'warning', text, instead: [] }));
}

/** A query as the definitions see it: which columns of which use of a table it speaks of. */
class View {
  readonly #ids: ReadonlyMap<string, string>;
  readonly #spoken: readonly { readonly id: string; readonly source: Source; readonly node: SqlNode }[];
  readonly sources: readonly Source[];
  /** Tables whose rows are counted as they come: `COUNT(*)` over them. */
  readonly #counted: ReadonlySet<string>;
  readonly semantics: SemanticModel;
  readonly schema: SchemaFacts;

  constructor({ tree, scopes }: ReadQuery, schema: SchemaFacts, semantics: SemanticModel) {
    this.semantics = semantics;
    this.schema = schema;
    this.#ids = new Map(
      semantics.datasets.flatMap((dataset) => {
        const table = findDatasetTable(dataset, schema.catalog);
        return table === undefined ? [] : [[dataset.table, table.id] as const];
      }),
    );
    this.#spoken = tree.nodes.flatMap((node) => {
      const reference = node.type === 'Column' ? scopes.references[node.id] : undefined;
      if (reference?.kind !== 'column') return [];
      return reference.lineage.physical.map(({ id }) => ({ id, source: reference.source, node }));
    });
    const sources = new Set<Source>();
    for (const scope of scopes.all) for (const source of scope.sources) sources.add(source);
    this.sources = [...sources];
    this.#counted = new Set(
      tree.nodes.flatMap((node) => {
        const isStar = node.type === 'Count' && node.children.some(({ type }) => type === 'Star');
        const first = isStar ? scopes.places[node.id]?.sources[0]?.table?.id : undefined;
        return first === undefined ? [] : [first];
      }),
    );
  }

  tableId(table: string): string {
    return this.#ids.get(table) ?? table;
  }

  columnId(column: string): string {
    const dot = column.lastIndexOf('.');
    return `${this.tableId(column.slice(0, dot))}${column.slice(dot)}`;
  }

  reads(table: string): readonly Source[] {
    return this.sources.filter((source) => source.table?.id === this.tableId(table));
  }

  /** Whether anything is said of a column; of this use of its table, where one is given. */
  speaksOf(column: string, source?: Source): boolean {
    const id = this.columnId(column);
    return this.#spoken.some((one) => one.id === id && (source === undefined || one.source === source));
  }

  /** Whether the figure of a metric is in it: a name such as “dealers” is often what is listed, not what is counted. */
  computes({ table = '', expression = '' }: Metric): boolean {
    if (this.#counted.has(this.tableId(table))) return true;
    return columnsInSql(expression).some((column) =>
      this.nodesOf(column).some((node) => ancestor(node, ({ type }) => AGGREGATES.has(type)) !== undefined),
    );
  }

  nodesOf(column: string): readonly SqlNode[] {
    const id = this.columnId(column);
    return this.#spoken.flatMap((one) => (one.id === id ? [one.node] : []));
  }

  /** Columns of a table that the query speaks of. */
  columnsOf(table: string): readonly string[] {
    const start = `${this.tableId(table)}.`;
    return [...new Set(this.#spoken.flatMap(({ id }) => (id.startsWith(start) ? [id] : [])))];
  }
}

const AGGREGATES: ReadonlySet<string> = new Set(['Count', 'Sum', 'Avg', 'Min', 'Max', 'Median', 'Quantile']);

function defaultCondition({ table, defaultFilter }: Dataset, view: View): readonly string[] {
  if (defaultFilter === undefined) return [];
  const columns = columnsInSql(defaultFilter.sql);
  const isLeft = view
    .reads(table)
    .some((source) => columns.every((column) => !view.speaksOf(column, source)));
  if (columns.length === 0 || !isLeft) return [];
  return [`the default condition of ${table} is not applied: ${defaultFilter.sql} (${defaultFilter.text})`];
}

/** The longest names first: a metric whose name is part of another's that is named is not meant by it. */
function namedMetrics(words: string, { metrics }: SemanticModel): readonly Metric[] {
  const named = metrics.flatMap((metric) => {
    const names = [metric.name, ...metric.synonyms].map(plainWords);
    const best = names
      .filter((name) => name !== '' && words.includes(` ${name} `))
      .sort((a, b) => b.length - a.length)[0];
    return best === undefined ? [] : [{ metric, best }];
  });
  return named
    .filter(({ best }) => !named.some((other) => other.best !== best && other.best.includes(best)))
    .map(({ metric }) => metric);
}

/** A ratio is dated and conditioned as the two metrics that it divides. */
function withParts(metric: Metric, { metrics }: SemanticModel): readonly Metric[] {
  const { ratio } = metric;
  if (ratio === undefined) return [metric];
  return metrics.filter(({ name }) => name === ratio.numerator || name === ratio.denominator);
}

function metricConditions(metric: Metric, view: View): readonly string[] {
  const { name, table, filters } = metric;
  if (table === undefined || !view.computes(metric)) return [];
  return filters
    .filter((filter) => {
      const columns = columnsInSql(filter);
      return columns.length > 0 && !columns.every((column) => view.speaksOf(column));
    })
    .map((filter) => `${name} is defined with ${filter}, and the query says nothing of it`);
}

/** Another time of the same table stands where the definition has its own. */
function metricTime({ name, table, timeColumn }: Metric, view: View): readonly string[] {
  if (table === undefined || timeColumn === undefined || view.reads(table).length === 0) return [];
  if (view.speaksOf(timeColumn)) return [];
  const own = view.columnId(timeColumn);
  const other = view.columnsOf(table).find((id) => id !== own && isTime(id, view));
  return other === undefined ? [] : [`${name} is dated by ${timeColumn}, and the query goes by ${other}`];
}

function isTime(id: string, { schema, semantics }: View): boolean {
  const column = schema.columns.get(id);
  if (column === undefined) return false;
  const isDated = semantics.metrics.some(({ timeColumn }) => timeColumn === id);
  return isDated || column.family === 'time' || column.profile?.pattern?.startsWith('iso-') === true;
}

/** What a word stands for is compared with other values only. */
function mappedValues(words: string, view: View): readonly string[] {
  const named = view.semantics.valueMappings.flatMap((mapping) => {
    const surface = mapping.surface.find((one) => words.includes(` ${plainWords(one)} `));
    return surface === undefined ? [] : [{ ...mapping, said: surface }];
  });
  return named.flatMap(({ column, value, said }) => {
    const compared = view.nodesOf(column).flatMap((node) => literalsBeside(node));
    const isMeant = compared.some((one) => one.toLowerCase() === `${value}`.toLowerCase());
    const isOther =
      compared.length > 0 &&
      !isMeant &&
      !named.some(
        (other) =>
          other.column === column &&
          compared.some((one) => one.toLowerCase() === `${other.value}`.toLowerCase()),
      );
    return isOther
      ? [
          `“${said}” is stored as ${JSON.stringify(value)} in ${column}, and the query compares it with ${compared.join(', ')}`,
        ]
      : [];
  });
}

const COMPARING: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'In', 'GT', 'GTE', 'LT', 'LTE', 'Like']);

function literalsBeside(node: SqlNode): readonly string[] {
  const comparison = ancestor(node, ({ type }) => COMPARING.has(type) || type === 'Select');
  if (comparison === undefined || comparison.type === 'Select') return [];
  const literals: string[] = [];
  const visit = (one: SqlNode): void => {
    if (one.type === 'Literal') literals.push(literalText(one));
    for (const child of one.children) if (child.type !== 'Select') visit(child);
  };
  visit(comparison);
  return literals;
}

function literalText(node: SqlNode): string {
  return `${node.value ?? ''}`;
}

/** Of several links between two tables the question names one, and the query goes by another. */
function joinRoles(words: string, view: View): readonly string[] {
  const { relationships } = view.semantics;
  return relationships.flatMap((link) => {
    const rivals = relationships.filter(
      (other) => other !== link && other.from === link.from && other.to === link.to,
    );
    if (rivals.length === 0 || !isSaid(link, words) || rivals.some((other) => isSaid(other, words)))
      return [];
    const [column = ''] = link.fromColumns;
    const taken = rivals.find(({ fromColumns: [other = ''] }) => view.speaksOf(other));
    if (taken === undefined || view.speaksOf(column)) return [];
    return [
      `the question speaks of ${link.role ?? link.name}, which is ${column}, and the query goes by ${taken.fromColumns[0]}`,
    ];
  });
}

/** A dimension that the question names is reached by one link and not by its rival, unless the question names that. */
function viaRoles(words: string, view: View): readonly string[] {
  const { dimensions, relationships } = view.semantics;
  // Which day or month is meant, the metric says.
  const named = dimensions.filter(
    ({ name, synonyms, isTime: isDate }) =>
      !isDate && [name, ...synonyms].some((one) => words.includes(` ${plainWords(one)} `)),
  );
  return named.flatMap(({ name, via = {} }) =>
    Object.entries(via).flatMap(([table, linkName]) => {
      const link = relationships.find((one) => one.name === linkName);
      if (link === undefined || view.reads(table).length === 0) return [];
      const rivals = relationships.filter(
        (other) => other !== link && other.from === link.from && other.to === link.to,
      );
      const [column = ''] = link.fromColumns;
      if (view.speaksOf(column) || rivals.some((other) => isSaid(other, words))) return [];
      const taken = rivals.find(({ fromColumns: [other = ''] }) => view.speaksOf(other));
      if (taken === undefined) return [];
      return [`${name} is reached by ${column} here, and the query goes by ${taken.fromColumns[0]}`];
    }),
  );
}

/** A single small word (“from”, “to”) says too little. */
function isSaid({ role, synonyms }: SemanticModel['relationships'][number], words: string): boolean {
  return [role ?? '', ...synonyms]
    .map(plainWords)
    .some((name) => name.length >= 5 && words.includes(` ${name} `));
}

/** In small letters, without signs; singular and plural are the same. */
function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}%]+/gu, ' ')
    .trim()
    .replace(/(?<=\p{L}{3})s(?= |$)/gu, '');
}
