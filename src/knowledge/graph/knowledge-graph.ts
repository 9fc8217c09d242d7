/** Everything known of a database as one graph: things, links between them, and for each fact who said it and when. */
import type { JargonTerm, Note, ProductArea, TableStatus } from '../authored/authored.ts';
import { guessedText } from '../authored/described.ts';
import type { VerifiedPair } from '../authored/examples.ts';
import type { CoQueried, ExampleCandidate, UsedJoin } from '../usage/usage.ts';

/** People before imports before engines before logs before models: the order in which facts are shown. */
export type FactSource = 'person' | 'import' | 'engine' | 'usage' | 'model';

export interface Provenance {
  readonly source: FactSource;
  /** Account, model or tool. */
  readonly by?: string;
  /** Day, YYYY-MM-DD. */
  readonly at?: string;
  /** File and line, log, format. */
  readonly place?: string;
}

export interface Fact<Value> {
  readonly value: Value;
  readonly from: Provenance;
}

export interface TableNode {
  readonly id: string;
  readonly name: string;
  /** Human text before machine text. */
  readonly descriptions: readonly Fact<string>[];
  readonly synonyms: readonly Fact<string>[];
  readonly popularity?: Fact<number>;
  readonly status?: Fact<TableStatus>;
  readonly clusterIds: readonly number[];
  readonly columnIds: readonly string[];
}

export interface ColumnNode {
  readonly id: string;
  readonly tableId: string;
  readonly name: string;
  readonly descriptions: readonly Fact<string>[];
  readonly synonyms: readonly Fact<string>[];
  readonly popularity?: Fact<number>;
  readonly isPartitionKey: boolean;
}

/** How two tables go together, and who says so. */
export interface JoinEdge {
  readonly leftTable: string;
  readonly rightTable: string;
  readonly on: readonly (readonly [left: string, right: string])[];
  /** Declared by the engine, stated by people, used in logs, inferred from values: all that say it. */
  readonly said: readonly Fact<'declared' | 'semantic' | 'inferred' | UsedJoin>[];
}

export interface KnowledgeGraph {
  table(id: string): TableNode | undefined;
  column(id: string): ColumnNode | undefined;
  readonly tableIds: readonly string[];
  /** Joins of a table, surest first. */
  joins(tableId: string): readonly JoinEdge[];
  /** Tables that stand in statements with it, most runs first. */
  coQueried(tableId: string): readonly CoQueried[];
  notesOf(tableId: string): readonly Fact<Note>[];
  examplesOf(tableId: string): readonly Fact<VerifiedPair | ExampleCandidate>[];
  readonly notes: readonly Fact<Note>[];
  readonly jargon: readonly Fact<JargonTerm>[];
  readonly areas: readonly Fact<ProductArea>[];
  readonly users: readonly string[];
  stats(): GraphStats;
}

export interface GraphStats {
  /** Things by kind: table, column, join, note, jargon, area, user, example, metric, dimension, cluster. */
  readonly things: Readonly<Record<string, number>>;
  /** Facts by who said them. */
  readonly facts: Readonly<Record<FactSource, number>>;
  /** Tables and columns without any description. */
  readonly undescribed: { readonly tables: number; readonly columns: number };
}

/** A fact as people and models read it: what a model guessed says so. */
export function factText({ value, from }: Fact<string>): string {
  return from.source === 'model' ? guessedText(value) : value;
}

/** The first of several, as it is read. */
export function firstText(facts: readonly Fact<string>[] = []): string | undefined {
  const [first] = facts;
  return first && factText(first);
}
