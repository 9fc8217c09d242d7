/** Tables and columns as searchable documents, one at a time: a warehouse has hundreds of thousands of columns. */

import type { Catalog, Column, Table } from '../../../catalog/index.ts';
import { nameWords } from '../../../language/index.ts';
import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { SearchDocument } from '../../search/search-store.ts';
import { findDatasetTable } from '../../semantic/find-dataset-table.ts';
import type { SemanticModel } from '../../semantic/semantic-model.ts';
import { contentWords } from '../words/question-words.ts';

/** Different words that stand for the columns of a table, and for what is said of them. */
const COLUMN_WORDS = 600;
const COMMENT_WORDS = 100;
/** A longer text is a manual; its start says what the thing is. */
const TEXT_CHARACTERS = 2_000;
const NO_DESCRIPTIONS: Descriptions = { table: () => [], column: () => [] };

/**
 * Every table and column of a catalog. Numbers of a name are left out of a table's title, so that the 366 days of one
 * table are one content; `choose-members.ts` tells them apart. Pass a catalog that holds what the reader may see.
 */
export function* catalogDocuments(catalog: Catalog, descriptions: Descriptions): Generator<SearchDocument> {
  for (const table of catalog.tables) {
    yield tableDocument(table, catalog.database, descriptions);
    for (const column of table.columns) yield columnDocument(column, descriptions);
  }
}

/**
 * Columns and comments give their words once: a word in 50 columns does not make a table 50 times as relevant. Where it
 * stands counts twice, as people ask for `the citibike trips` of the schema `new_york`.
 */
export function tableDocument(
  table: Table,
  database: string,
  descriptions: Descriptions = NO_DESCRIPTIONS,
): SearchDocument {
  const title = wordsWithoutNumbers(table.name);
  const around = [table.schema ?? '', table.catalog ?? database].flatMap(nameWords);
  const columns = new Set<string>();
  const comments = new Set<string>();
  // By name: some engines list the columns of each day of a table in another order, and equal columns are one text.
  const ordered = [...table.columns].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, name, comment = '' } of ordered) {
    for (const word of nameWords(name)) if (columns.size < COLUMN_WORDS) columns.add(word);
    if (comments.size >= COMMENT_WORDS) continue;
    for (const word of contentWords([comment, ...descriptions.column(id)].join(' ')))
      if (comments.size < COMMENT_WORDS && !columns.has(word)) comments.add(word);
  }
  const words = [...around, ...longForms(title), ...columns, ...longForms([...columns]), ...comments];
  const said = [table.comment ?? '', ...descriptions.table(table.id)].map(cut).filter(Boolean);
  return {
    kind: 'table',
    id: table.id,
    title: title.join(' '),
    body: [...new Set(said), around.join(' '), [...new Set(words)].join(' ')].join('\n'),
    tableIds: [table.id],
  };
}

/**
 * Equal names and comments give equal texts, whichever table they stand in: the store keeps such a text once. Stored
 * values are not in it: the value index finds them, under its own rules of what may be kept.
 */
function columnDocument(column: Column, descriptions: Descriptions): SearchDocument {
  const title = nameWords(column.name);
  const said = [column.comment ?? '', ...descriptions.column(column.id)].map(cut);
  const body = [...said, longForms(title).join(' ')].filter(Boolean);
  const { id, tableId } = column;
  return {
    kind: 'column',
    id,
    title: title.join(' '),
    body: [...new Set(body)].join('\n'),
    tableIds: [tableId],
  };
}

/** A name of numbers alone keeps them: it has nothing else. */
function wordsWithoutNumbers(name: string): string[] {
  const words = nameWords(name);
  const texts = words.map((word) => word.replace(/\p{N}+/gu, '')).filter((word) => word !== '');
  return texts.length > 0 ? texts : words;
}

function cut(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > TEXT_CHARACTERS ? `${trimmed.slice(0, TEXT_CHARACTERS)}…` : trimmed;
}

/** What people and machines call the tables and columns of a catalog, beside their names. */
interface Descriptions {
  /** Descriptions and synonyms, human ones first. */
  table(id: string): readonly string[];
  column(id: string): readonly string[];
}

/** From the graph where there is one, which holds the semantic model; else from the model itself. */
export function descriptionsOf(
  catalog: Catalog,
  semantics: SemanticModel,
  graph?: KnowledgeGraph,
): Descriptions {
  if (graph !== undefined) return fromGraph(graph);
  const tables = new Map<string, string[]>();
  const columns = new Map<string, string[]>();
  for (const dataset of semantics.datasets) {
    const table = findDatasetTable(dataset, catalog);
    if (table === undefined) continue;
    add(tables, table.id, [dataset.description ?? '', dataset.name, ...dataset.synonyms]);
    for (const { table: name, column, ...dimension } of semantics.dimensions) {
      if (name !== dataset.table) continue;
      const id = `${table.id}.${column.slice(column.lastIndexOf('.') + 1)}`;
      add(columns, id, [dimension.description ?? '', dimension.name, ...dimension.synonyms]);
    }
  }
  return { table: (id) => tables.get(id) ?? [], column: (id) => columns.get(id) ?? [] };
}

function fromGraph(graph: KnowledgeGraph): Descriptions {
  const texts = (node: ReturnType<KnowledgeGraph['table'] | KnowledgeGraph['column']>): readonly string[] =>
    node === undefined ? [] : [...node.descriptions, ...node.synonyms].map(({ value }) => value);
  return { table: (id) => texts(graph.table(id)), column: (id) => texts(graph.column(id)) };
}

function add(known: Map<string, string[]>, id: string, texts: readonly string[]): void {
  known.set(id, [...(known.get(id) ?? []), ...texts.filter((text) => text !== '')]);
}

/** What short forms in names stand for; only those with one meaning in nearly every warehouse. */
const LONG_FORMS: Readonly<Record<string, string>> = {
  acct: 'account',
  addr: 'address',
  amt: 'amount',
  avg: 'average',
  bal: 'balance',
  cat: 'category',
  cnt: 'count',
  cntry: 'country',
  ctry: 'country',
  curr: 'currency current',
  cust: 'customer',
  dept: 'department',
  desc: 'description',
  dest: 'destination',
  dob: 'date of birth',
  dt: 'date',
  elev: 'elevation',
  emp: 'employee',
  est: 'estimate',
  fname: 'first name',
  fy: 'fiscal year',
  geo: 'geography',
  geom: 'geometry',
  hh: 'household',
  hr: 'hour',
  inv: 'invoice inventory',
  lat: 'latitude',
  lname: 'last name',
  lng: 'longitude',
  loc: 'location',
  lon: 'longitude',
  mgr: 'manager',
  mkt: 'market',
  msg: 'message',
  mth: 'month',
  mtd: 'month to date',
  nbr: 'number',
  num: 'number',
  ord: 'order',
  org: 'organization',
  pct: 'percent',
  pmt: 'payment',
  pop: 'population',
  prcp: 'precipitation',
  precip: 'precipitation',
  prod: 'product',
  qtr: 'quarter',
  qty: 'quantity',
  ref: 'reference',
  rev: 'revenue',
  seq: 'sequence',
  src: 'source',
  tel: 'telephone',
  temp: 'temperature',
  trx: 'transaction',
  ts: 'timestamp',
  txn: 'transaction',
  uom: 'unit of measure',
  wk: 'week',
  yr: 'year',
  ytd: 'year to date',
};

/** The long forms of the short ones among the words: `['order', 'qty']` → `['quantity']`. */
function longForms(words: readonly string[]): readonly string[] {
  return words.flatMap((word) =>
    Object.hasOwn(LONG_FORMS, word) ? (LONG_FORMS[word]?.split(' ') ?? []) : [],
  );
}
