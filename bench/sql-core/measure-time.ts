/** How long both sides take over the same queries, one after the other in the same run. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { median } from '../figures.ts';
import { timeSqlglot } from './ask-sqlglot.ts';
import type { SqlCore } from './our-references.ts';
import type { CoreSchema, QuerySet } from './query-set.ts';
import type { SqlglotEnvironment } from './sqlglot-environment.ts';

const WARM_UP_ROUNDS = 5;
const ROUNDS = 3;
const LOAD_ROUNDS = 5;

/** Milliseconds of one query, the best of some rounds; what fails has no time. */
export interface QueryTime {
  readonly parseMs: number;
  /** From the text up to resolved scopes. */
  readonly scopeMs: number | undefined;
}

export interface SideTimes {
  /** By query id. */
  readonly times: ReadonlyMap<string, QueryTime>;
  readonly loadMs: number | undefined;
}

/** Times our core in this process, after the JIT has seen every query. */
export function timeOurs<Tree>(
  { queries, schemas }: QuerySet,
  core: SqlCore<Tree>,
  modulePath: string,
): SideTimes {
  const schemaOf = new Map(schemas.map((schema) => [schema.databaseId, schema]));
  const times = new Map<string, QueryTime>();
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    if (round === WARM_UP_ROUNDS) times.clear();
    for (const { id, sql, dialect, databaseId } of queries) {
      const schema: CoreSchema = schemaOf.get(databaseId) ?? { databaseId, tables: [] };
      const parseMs = timeOnce(() => {
        if (!core.parse(sql, dialect).ok) throw new Error('not parsed');
      });
      if (parseMs === undefined) continue;
      const scopeMs = timeOnce(() => core.buildScopes(sql, dialect, schema));
      const before = times.get(id);
      times.set(id, {
        parseMs: Math.min(before?.parseMs ?? Number.POSITIVE_INFINITY, parseMs),
        scopeMs: scopeMs && Math.min(before?.scopeMs ?? Number.POSITIVE_INFINITY, scopeMs),
      });
    }
  }
  return { times, loadMs: timeLoad(modulePath) };
}

/** Failures are told by the comparison of references, which comes first. */
function timeOnce(run: () => unknown): number | undefined {
  const started = performance.now();
  try {
    run();
  } catch {
    return undefined;
  }
  return performance.now() - started;
}

/** Times SQLGlot in a process of its own, by the same rules. */
export async function timeTheirs(
  set: QuerySet,
  environment: SqlglotEnvironment,
  onProgress: (line: string) => void,
): Promise<SideTimes> {
  const answers = await timeSqlglot(set, environment, onProgress);
  const times = new Map(answers.flatMap((answer) => (answer.ok ? [[answer.id, answer] as const] : [])));
  return { times, loadMs: answers[0]?.loadMs };
}

/** Over the queries that both sides finish: `{ parseMedianMsOurs: 0.03, …, parseTotalRatioSqlglot: 12 }`. */
export function compareTimes(
  ours: SideTimes,
  theirs: SideTimes,
  peer: string,
): Readonly<Record<string, number>> {
  return {
    ...comparePart('parse', ours, theirs, peer),
    ...comparePart('scope', ours, theirs, peer),
    ...(theirs.loadMs === undefined ? {} : { [`loadMs${peer}`]: theirs.loadMs }),
    ...(ours.loadMs === undefined ? {} : { loadMsOurs: ours.loadMs }),
  };
}

function comparePart(
  part: 'parse' | 'scope',
  ours: SideTimes,
  theirs: SideTimes,
  peer: string,
): Readonly<Record<string, number>> {
  const our: number[] = [];
  const their: number[] = [];
  for (const [id, theirTime] of theirs.times) {
    const ourMs = ours.times.get(id)?.[`${part}Ms`];
    const theirMs = theirTime[`${part}Ms`];
    if (ourMs === undefined || theirMs === undefined) continue;
    our.push(ourMs);
    their.push(theirMs);
  }
  if (our.length === 0) return {};
  return {
    [`${part}Queries`]: our.length,
    [`${part}MedianMsOurs`]: median(our),
    [`${part}MedianMs${peer}`]: median(their),
    [`${part}MedianRatio${peer}`]: median(their) / median(our),
    [`${part}TotalRatio${peer}`]: sum(their) / sum(our),
  };
}

/** Importing the built module in a fresh process; undefined where it is not built. */
function timeLoad(modulePath: string): number | undefined {
  const path = fileURLToPath(new URL(`../../dist/${modulePath}`, import.meta.url));
  if (!existsSync(path)) return undefined;
  const script = `const from = performance.now(); await import(${JSON.stringify(pathToFileURL(path).href)}); console.log(performance.now() - from)`;
  const runs = Array.from({ length: LOAD_ROUNDS }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${path} cannot be loaded:\n${stderr}`);
    return Number(stdout);
  });
  return median(runs);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
