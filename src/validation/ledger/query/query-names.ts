/** What tables and columns are called: by themselves, in the semantic model, and in what is written about them. */

import type { SchemaFacts } from '../../../faults/index.ts';
import { findDatasetTable, type SemanticModel } from '../../../knowledge/semantic/index.ts';
import { splitName, stemOf } from '../../../language/index.ts';
import type { Span } from '../../../sql/dialects/index.ts';
import type { QueryUses } from '../../rules/definitions/query-uses.ts';

/** Every name of a table or column: its own, those of the semantic model, and of the metrics and dimensions made of it. */
export function namesFor(id: string, { catalog }: SchemaFacts, semantics: SemanticModel): readonly string[] {
  const table = catalog.tables.find((one) => one.id === id);
  if (table !== undefined) {
    const datasets = semantics.datasets.filter(
      (dataset) => findDatasetTable(dataset, catalog)?.id === id || dataset.table === id,
    );
    const metrics = semantics.metrics.filter((metric) => metric.table === id);
    return [
      table.name,
      ...datasets.flatMap(({ name, synonyms }) => [name, ...synonyms]),
      ...metrics.flatMap(({ name, synonyms }) => [name, ...synonyms]),
    ];
  }
  const dimensions = semantics.dimensions.filter(({ column }) => column === id);
  const target = catalog.foreignKeys.find(({ fromColumns }) => fromColumns.includes(id));
  return [
    columnName(id, catalog),
    ...(target === undefined ? [] : [catalog.tables.find((one) => one.id === target.toTable)?.name ?? '']),
    ...dimensions.flatMap(({ name, synonyms }) => [name, ...synonyms]),
    ...semantics.relationships
      .filter(({ fromColumns }) => fromColumns.some((column) => column === id))
      .flatMap(({ name, role, synonyms }) => [name, role ?? '', ...synonyms]),
  ];
}

/** As it is written: `basePrice` is two words, the id in small letters is one. */
function columnName(id: string, { tables }: SchemaFacts['catalog']): string {
  for (const { columns } of tables) {
    const column = columns.find((one) => one.id === id);
    if (column !== undefined) return column.name;
  }
  return id.slice(id.lastIndexOf('.') + 1);
}

/** Longer texts are about more than the thing. */
const LONGEST_DESCRIPTION = 400;

export function descriptionsOf(
  id: string,
  { catalog }: SchemaFacts,
  semantics: SemanticModel,
): readonly string[] {
  const table = catalog.tables.find((one) => one.id === id);
  const column = catalog.tables.flatMap(({ columns }) => columns).find((one) => one.id === id);
  const texts = [
    table?.comment,
    column?.comment,
    ...semantics.datasets.filter((one) => one.table === id).map(({ description }) => description),
    ...semantics.metrics.filter((one) => one.table === id).map(({ description }) => description),
    ...semantics.dimensions.filter((one) => one.column === id).map(({ description }) => description),
  ];
  return texts.flatMap((text) => (text === undefined ? [] : [text.slice(0, LONGEST_DESCRIPTION)]));
}

export function addName(names: Map<string, Span[]>, name: string, spans: readonly Span[]): void {
  const words = splitName(name);
  for (const word of words) add(names, stemOf(word), spans);
  if (words.length > 1) add(names, stemOf(words.join('')), spans);
  // `eid` is an id, `flno` a number, `lname` a name.
  const last = words.at(-1) ?? '';
  for (const head of HEADS)
    if (last.length > head.written.length && last.endsWith(head.written))
      add(names, stemOf(head.means), spans);
}

const HEADS = [
  { written: 'id', means: 'id' },
  { written: 'no', means: 'number' },
  { written: 'num', means: 'number' },
  { written: 'name', means: 'name' },
  { written: 'date', means: 'date' },
  { written: 'code', means: 'code' },
  { written: 'type', means: 'type' },
  { written: 'by', means: 'by' },
];

export function add<Key>(map: Map<Key, Span[]>, key: Key, spans: readonly Span[]): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [...spans]);
  else known.push(...spans);
}

const ENDS = new Set(['Max', 'Min']);
const FIGURES = new Set(['Count', 'Sum', 'Avg']);

/** Whether the only ends that the query looks for are the highest and lowest of numbers that only name rows. */
export function endsAreKeys({ nodes, mentions }: QueryUses, { catalog }: SchemaFacts): boolean {
  const keys = new Set([
    ...catalog.foreignKeys.flatMap(({ fromColumns }) => fromColumns),
    ...catalog.tables.flatMap(({ primaryKey }) => primaryKey),
  ]);
  const ends = nodes.filter(({ type }) => ENDS.has(type));
  const columns = [...mentions];
  return (
    ends.length > 0 &&
    !nodes.some(({ type }) => type === 'Ordered') &&
    ends.every(({ start, end }) => {
      const isInside = (one: { readonly start: number; readonly end: number }): boolean =>
        one.start >= start && one.end <= end;
      const own = columns.filter(({ node }) => isInside(node));
      const isFigure = nodes.some((node) => FIGURES.has(node.type) && isInside(node));
      return !isFigure && own.length > 0 && own.every(({ id }) => keys.has(id));
    })
  );
}

/** Names in one word of columns that the tables of these places have and that are not among them. */
export function otherColumnsIn(
  places: ReadonlyMap<string, unknown>,
  { tables }: SchemaFacts,
): ReadonlySet<string> {
  const columns = [...places.keys()].flatMap((id) => tables.get(id)?.columns ?? []);
  return new Set(columns.filter(({ id }) => !places.has(id)).map(({ name }) => name.toLowerCase()));
}
