/** Algorithm 1 from the components on. Source: LinkedIn, section 4.1. */
import type { TableCluster } from '../accesses/access-matrix.ts';

/** The scores of all tables in some components. */
export interface ScorePanel {
  /** The first of its components. */
  readonly first: number;
  /** Its components; of its columns, those beyond are none. */
  readonly components: number;
  /** Row-major, tables × columns. */
  readonly scores: Float32Array;
  readonly columns: number;
}

/** What clusters are made of: of every table its best component, of every component its best tables. */
export interface SoftAssignment {
  readonly components: number;
  /** Of each table, with the score there. */
  readonly bestComponents: Int32Array;
  readonly bestScores: Float32Array;
  /** Of each component: tables, best first. */
  readonly topTables: readonly (readonly number[])[];
  readonly topScores: readonly (readonly number[])[];
  /** 1 or -1, of each component: the sign of one means nothing, so that its heavy tail is turned up. */
  readonly signs: Int8Array;
  /** Mean of |excess kurtosis|: how far from normal, that is how well separated, the components are. */
  readonly kurtosis: number;
}

/** Looks at the panels one after the other, in their order; none is kept. */
export async function assignSoftly(
  panels: AsyncIterable<ScorePanel> | Iterable<ScorePanel>,
  tables: number,
  { components, size }: { readonly components: number; readonly size: number },
): Promise<SoftAssignment> {
  const found = {
    bestComponents: new Int32Array(tables),
    bestScores: new Float32Array(tables).fill(Number.NEGATIVE_INFINITY),
    topTables: Array.from({ length: components }, (): number[] => []),
    topScores: Array.from({ length: components }, (): number[] => []),
    signs: new Int8Array(components),
  };
  let kurtosis = 0;
  for await (const panel of panels)
    for (let at = 0; at < panel.components; at += 1) {
      const moments = momentsOf(panel, at, tables);
      kurtosis += moments.kurtosis;
      const component = panel.first + at;
      const sign = moments.skew < 0 ? -1 : 1;
      found.signs[component] = sign;
      const top = new TopTables(size);
      for (let table = 0; table < tables; table += 1) {
        const score = sign * panel.scores[table * panel.columns + at]!;
        top.offer(table, score);
        if (score <= found.bestScores[table]!) continue;
        found.bestScores[table] = score;
        found.bestComponents[table] = component;
      }
      found.topTables[component] = top.tables;
      found.topScores[component] = top.scores;
    }
  return { ...found, components, kurtosis: kurtosis / Math.max(1, components) };
}

/** Overlapping clusters: of each component the best tables, and every table where it scores best. */
export function softClusters(tables: readonly string[], assignment: SoftAssignment): TableCluster[] {
  const { components, bestComponents, bestScores, topTables, topScores } = assignment;
  const members = Array.from({ length: components }, () => new Map<number, number>());
  for (const [component, own] of topTables.entries())
    for (const [at, table] of own.entries()) members[component]?.set(table, topScores[component]![at]!);
  for (const table of tables.keys()) members[bestComponents[table]!]?.set(table, bestScores[table]!);
  return members.map((own, id) => ({
    id,
    tables: [...own]
      .map(([table, score]) => ({ tableId: tables[table]!, score }))
      .sort((a, b) => b.score - a.score || (a.tableId < b.tableId ? -1 : 1)),
  }));
}

/** The tables of the highest scores; of equal ones those that come first. */
class TopTables {
  readonly tables: number[] = [];
  readonly scores: number[] = [];
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  offer(table: number, score: number): void {
    const { tables, scores } = this;
    if (scores.length === this.#size && score <= scores.at(-1)!) return;
    let at = scores.length;
    while (at > 0 && scores[at - 1]! < score) at -= 1;
    scores.splice(at, 0, score);
    tables.splice(at, 0, table);
    if (scores.length > this.#size) {
      scores.pop();
      tables.pop();
    }
  }
}

function momentsOf({ scores, columns }: ScorePanel, at: number, tables: number) {
  let mean = 0;
  for (let table = 0; table < tables; table += 1) mean += scores[table * columns + at]! / tables;
  let [second, third, fourth] = [0, 0, 0];
  for (let table = 0; table < tables; table += 1) {
    const apart = scores[table * columns + at]! - mean;
    const square = apart * apart;
    second += square / tables;
    third += (square * apart) / tables;
    fourth += (square * square) / tables;
  }
  return { skew: third, kurtosis: second === 0 ? 0 : Math.abs(fourth / second ** 2 - 3) };
}
