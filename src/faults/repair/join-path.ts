/** How two tables of a catalog are joined by its keys. */
import type { ForeignKey } from '../../catalog/index.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';

/** A key walked from the table that is there to the one that is added. */
export interface JoinStep {
  readonly from: string;
  readonly to: string;
  /** Column ids, pair by pair. */
  readonly pairs: readonly (readonly [string, string])[];
  /** The key is declared or stated, not inferred. */
  readonly isDeclared?: boolean;
}

/** More than three keys away is not what a query forgot. */
const MOST_STEPS = 3;

/**
 * The shortest way over keys from one of the tables to another, ids of tables; empty where it is among them, undefined
 * where no key leads there. Declared and stated keys come before inferred ones.
 */
export function findJoinPath(
  schema: SchemaFacts,
  start: readonly string[],
  goal: string,
): readonly JoinStep[] | undefined {
  if (start.includes(goal)) return [];
  const steps = stepsOf(schema);
  const seen = new Set(start);
  let front: (readonly JoinStep[])[] = start.map(() => []);
  let at = [...start];
  for (let length = 0; length < MOST_STEPS; length += 1) {
    const next: (readonly JoinStep[])[] = [];
    const reached: string[] = [];
    for (const [index, path] of front.entries()) {
      for (const step of steps.get(at[index] ?? '') ?? []) {
        if (step.to === goal) return [...path, step];
        if (seen.has(step.to)) continue;
        seen.add(step.to);
        next.push([...path, step]);
        reached.push(step.to);
      }
    }
    front = next;
    at = reached;
  }
  return undefined;
}

/** Every way over declared keys from the tables of a query to another one, through none twice. */
export function declaredPaths(
  schema: SchemaFacts,
  start: readonly string[],
  goal: string,
): readonly (readonly JoinStep[])[] {
  const walk = (at: string, path: readonly JoinStep[], seen: ReadonlySet<string>): (readonly JoinStep[])[] =>
    (stepsOf(schema).get(at) ?? [])
      .filter(({ isDeclared, to }) => isDeclared === true && !seen.has(to))
      .flatMap((step) => {
        const longer = [...path, step];
        if (step.to === goal) return [longer];
        return longer.length === MOST_STEPS ? [] : walk(step.to, longer, new Set([...seen, step.to]));
      });
  return start.includes(goal) ? [] : start.flatMap((at) => walk(at, [], new Set(start)));
}

const STEPS = new WeakMap<SchemaFacts, ReadonlyMap<string, readonly JoinStep[]>>();

function stepsOf(schema: SchemaFacts): ReadonlyMap<string, readonly JoinStep[]> {
  const known = STEPS.get(schema);
  if (known !== undefined) return known;
  const steps = new Map<string, JoinStep[]>();
  const keys = [...schema.catalog.foreignKeys].sort((a, b) => doubt(a) - doubt(b));
  for (const { fromTable, toTable, fromColumns, toColumns, source } of keys) {
    const isDeclared = source !== 'inferred';
    const pairs = fromColumns.flatMap((from, index): [string, string][] => {
      const to = toColumns[index];
      return to === undefined ? [] : [[from, to]];
    });
    if (pairs.length === 0 || fromTable === toTable) continue;
    add(steps, { from: fromTable, to: toTable, pairs, isDeclared });
    const back = pairs.map(([a, b]) => [b, a] as const);
    add(steps, { from: toTable, to: fromTable, pairs: back, isDeclared });
  }
  STEPS.set(schema, steps);
  return steps;
}

function doubt({ source }: ForeignKey): number {
  return source === 'inferred' ? 1 : 0;
}

function add(steps: Map<string, JoinStep[]>, step: JoinStep): void {
  const known = steps.get(step.from);
  if (known === undefined) steps.set(step.from, [step]);
  else known.push(step);
}
