/** What schema linking thinks of the tables and columns of a query: of those it uses, and of those it does not. */

import type { SchemaFacts } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import { type AskedQuestion, type LikelyColumn, questionMemory } from './asked-question.ts';
import {
  type Feature,
  type FeatureGroup,
  type FeatureSources,
  type FeatureValue,
  type NodeReader,
  unknownRow,
} from './feature.ts';
import { type NodeSubjects, nodeSubjects } from './node-subjects.ts';

const UNLIKELY = 0.2;
const LIKELY = 0.6;

const LINKING_FEATURES = [
  {
    name: 'link_column',
    kind: 'ratio',
    unit: 'probability',
    about: 'how likely the question needs this column, or the column a literal is compared with',
    tell: (value) => below(value, UNLIKELY, 'the question hardly speaks of this column'),
  },
  {
    name: 'link_table',
    kind: 'ratio',
    unit: 'probability',
    about: 'how likely the question needs this table',
    tell: (value) => below(value, UNLIKELY, 'the question hardly speaks of this table'),
  },
  {
    name: 'link_lowest_below',
    kind: 'ratio',
    unit: 'probability',
    about: 'the least likely column at or below the node',
    tell: (value) => below(value, UNLIKELY, 'the question hardly speaks of a column in it'),
  },
  {
    name: 'link_mean_below',
    kind: 'ratio',
    unit: 'probability',
    about: 'mean probability of the columns at or below the node',
  },
  {
    name: 'link_rank_in_table',
    kind: 'count',
    unit: 'columns',
    about: 'columns of the same table that are likelier',
  },
  {
    name: 'link_rank',
    kind: 'count',
    unit: 'columns',
    about: 'columns of the whole schema that are likelier',
  },
  {
    name: 'link_namesake',
    kind: 'ratio',
    unit: 'probability',
    about: 'the likeliest column of the same name in another table',
    tell: (value) => above(value, LIKELY, 'a column of the same name in another table fits the question'),
  },
  {
    name: 'link_rival_in_table',
    kind: 'ratio',
    unit: 'probability',
    about: 'the likeliest column of the same table that the query does not use',
    tell: (value) => above(value, LIKELY, 'another column of its table fits the question and is not used'),
  },
  {
    name: 'link_rival_elsewhere',
    kind: 'ratio',
    unit: 'probability',
    about: 'the likeliest column of other tables that the query does not use',
    tell: (value) => above(value, LIKELY, 'a column of another table fits the question and is not used'),
  },
  {
    name: 'link_missing',
    kind: 'number',
    unit: 'columns',
    about: 'columns the question needs and the query lacks, expected number',
    tell: (value) => above(value, 1, 'the query leaves out columns that the question speaks of'),
  },
  {
    name: 'link_superfluous',
    kind: 'number',
    unit: 'columns',
    about: 'columns the query uses and the question does not need, expected number',
  },
  {
    name: 'link_table_missing',
    kind: 'ratio',
    unit: 'probability',
    about: 'the likeliest table that the query does not use',
    tell: (value) => above(value, LIKELY, 'a table that the question speaks of is not used'),
  },
  {
    name: 'link_table_superfluous',
    kind: 'ratio',
    unit: 'probability',
    about: 'how unlikely the least likely table of the query is',
  },
] as const satisfies readonly Feature[];

export const linkingFeatures: FeatureGroup = { name: 'linking', features: LINKING_FEATURES, open };

const WIDTH = LINKING_FEATURES.length;

function below(value: FeatureValue, bound: number, text: string): string | undefined {
  return typeof value === 'number' && value < bound ? text : undefined;
}

function above(value: FeatureValue, bound: number, text: string): string | undefined {
  return typeof value === 'number' && value > bound ? text : undefined;
}

function open(query: ReadQuery, { asked, schema }: FeatureSources): NodeReader {
  if (asked === undefined) return unknownRow(WIDTH);
  const subjects = nodeSubjects(query);
  const { opinion } = asked;
  const whole = ofWholeQuery(asked, subjects);
  const beneath = probabilitiesBeneath(query, asked, subjects);
  const rivals = bestOfTables(whole.unused);
  const standings = standingsOf(asked, schema);
  const standingOf = (id: string): Standing => readStanding(id, asked, schema);
  return (node, into, at) => {
    const column = subjects.columns[node.id] ?? subjects.compared[node.id];
    const table = subjects.tables[node.id];
    const { lowest, sum, count } = beneath;
    into[at] = column === undefined ? Number.NaN : opinion.columnProbability(column);
    into[at + 1] = table === undefined ? Number.NaN : opinion.tableProbability(table);
    into[at + 2] = lowest[node.id] ?? Number.NaN;
    into[at + 3] = count[node.id] === 0 ? Number.NaN : (sum[node.id] ?? 0) / (count[node.id] ?? 1);
    const standing = column === undefined ? NO_STANDING : standings(column, standingOf);
    into[at + 4] = standing.rankInTable;
    into[at + 5] = standing.rank;
    into[at + 6] = standing.namesake;
    into[at + 7] = table === undefined ? Number.NaN : (rivals.byTable.get(table) ?? 0);
    into[at + 8] =
      rivals.first?.tableId === table ? (rivals.second?.probability ?? 0) : (rivals.first?.probability ?? 0);
    into[at + 9] = whole.missing;
    into[at + 10] = whole.superfluous;
    into[at + 11] = whole.tableMissing;
    into[at + 12] = whole.tableSuperfluous;
  };
}

/** `unused` is likeliest first: the first one of each table, the first of all, and the first of another table than that. */
function bestOfTables(unused: readonly LikelyColumn[]) {
  const byTable = new Map<string, number>();
  for (const { tableId, probability } of unused) if (!byTable.has(tableId)) byTable.set(tableId, probability);
  const [first] = unused;
  return { byTable, first, second: unused.find(({ tableId }) => tableId !== first?.tableId) };
}

interface Standing {
  readonly rank: number;
  readonly rankInTable: number;
  readonly namesake: number;
}

const standingsOf = questionMemory<Standing>();
const NO_STANDING: Standing = { rank: Number.NaN, rankInTable: Number.NaN, namesake: Number.NaN };

function readStanding(id: string, { opinion, likely }: AskedQuestion, schema: SchemaFacts): Standing {
  const own = opinion.columnProbability(id);
  const column = schema.columns.get(id);
  const worse = likely.findIndex(({ probability }) => !(probability > own));
  const better = worse < 0 ? likely : likely.slice(0, worse);
  const namesakes = schema.columnsNamed.get(column?.name.toLowerCase() ?? '') ?? [];
  return {
    rank: better.length,
    rankInTable: better.filter(({ tableId }) => tableId === column?.tableId).length,
    namesake: namesakes.reduce(
      (best, other) => (other.id === id ? best : Math.max(best, opinion.columnProbability(other.id))),
      0,
    ),
  };
}

function ofWholeQuery(
  { opinion, likely, likelyTables }: AskedQuestion,
  { usedColumns, usedTables }: NodeSubjects,
) {
  const unused = likely.filter(({ id }) => !usedColumns.has(id));
  const tables = [...usedTables].map((id) => opinion.tableProbability(id));
  return {
    unused,
    missing: unused.reduce((sum, { probability }) => sum + probability, 0),
    superfluous: [...usedColumns].reduce((sum, id) => sum + 1 - opinion.columnProbability(id), 0),
    tableMissing: likelyTables.find(({ id }) => !usedTables.has(id))?.probability ?? 0,
    tableSuperfluous: tables.length === 0 ? Number.NaN : 1 - Math.min(...tables),
  };
}

interface Beneath {
  /** By node id; NaN where no column is at or below the node. */
  readonly lowest: Float64Array;
  readonly sum: Float64Array;
  readonly count: Uint16Array;
}

/** Children have higher ids than their parents, so that one pass from the end adds everything up. */
function probabilitiesBeneath(
  { tree: { nodes } }: ReadQuery,
  { opinion }: AskedQuestion,
  { columns }: NodeSubjects,
): Beneath {
  const lowest = new Float64Array(nodes.length).fill(Number.NaN);
  const sum = new Float64Array(nodes.length);
  const count = new Uint16Array(nodes.length);
  for (let id = nodes.length - 1; id >= 0; id -= 1) {
    const node = nodes[id] as SqlNode;
    const column = node.type === 'Column' ? columns[id] : undefined;
    if (column !== undefined)
      add(id, opinion.columnProbability(column), opinion.columnProbability(column), 1);
    if (node.parent !== undefined && (count[id] ?? 0) > 0)
      add(node.parent.id, lowest[id] ?? Number.NaN, sum[id] ?? 0, count[id] ?? 0);
  }
  return { lowest, sum, count };

  function add(id: number, least: number, total: number, number: number): void {
    const known = lowest[id] ?? Number.NaN;
    lowest[id] = Number.isNaN(known) ? least : Math.min(known, least);
    sum[id] = (sum[id] ?? 0) + total;
    count[id] = (count[id] ?? 0) + number;
  }
}
