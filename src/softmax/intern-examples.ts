import { CandorError } from '../errors.ts';
import type { SoftmaxExample } from './softmax-example.ts';
import { SOFTMAX_LIMITS } from './softmax-limits.ts';

/** Examples as numbers: features are rows, labels are places in `classes`. */
export interface InternedExamples {
  readonly classes: readonly string[];
  /** Of the features that are kept, ascending. */
  readonly names: readonly string[];
  /** By feature: in how many examples it is. */
  readonly counts: Int32Array;
  /** Example i has the features `rows[starts[i]]` up to, not including, `rows[starts[i + 1]]`, ascending. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  readonly labels: Int32Array;
  readonly weights: Float64Array;
}

/** Keeps every sum of weights finite. */
const MOST_WEIGHT = 1e9;

/**
 * Looks the examples through and names everything by numbers once; features in fewer than `minCount` examples are left
 * out. Names are numbered in their own order, not in that of the examples. Throws `softmax.data-invalid`.
 */
export function internExamples(given: readonly SoftmaxExample[], minCount: number): InternedExamples {
  given.forEach(({ weight = 1 }, at) => {
    if (!(weight >= 0 && weight <= MOST_WEIGHT))
      throw invalid(`the weight of example ${at} is ${weight}; expected 0 to ${MOST_WEIGHT}`);
  });
  const examples = given.filter(({ weight = 1 }) => weight > 0);
  const classes = [...new Set(examples.map(({ label }) => label))].sort();
  checkNames('class', classes, SOFTMAX_LIMITS.classes);
  // With one class alone its log-odds have no end.
  if (classes.length < 2)
    throw invalid(`the examples with a weight above 0 have ${classes.length} labels; expected 2 or more`);
  const seen = numberFeatures(examples);
  const names = [...seen.ids].flatMap(([name, id]) => ((seen.counts[id] ?? 0) >= minCount ? [name] : []));
  names.sort();
  checkNames('feature', names, SOFTMAX_LIMITS.features);
  if (names.length * classes.length > SOFTMAX_LIMITS.weights)
    throw invalid(
      `${names.length} features times ${classes.length} classes are more than ${SOFTMAX_LIMITS.weights} weights; a higher minCount keeps fewer features`,
    );
  const idOf = (name: string): number => seen.ids.get(name) ?? 0;
  const rowOf = new Int32Array(seen.ids.size).fill(-1);
  for (const [row, name] of names.entries()) rowOf[idOf(name)] = row;
  const placeOf = new Map(classes.map((name, place) => [name, place]));
  return {
    classes,
    names,
    counts: Int32Array.from(names, (name) => seen.counts[idOf(name)] ?? 0),
    ...layOut(seen, rowOf),
    labels: Int32Array.from(examples, ({ label }) => placeOf.get(label) ?? 0),
    weights: Float64Array.from(examples, ({ weight = 1 }) => weight),
  };
}

interface SeenFeatures {
  readonly ids: ReadonlyMap<string, number>;
  /** By id: in how many examples. */
  readonly counts: readonly number[];
  /** Ids of all examples, one example after another, each once an example. */
  readonly all: readonly number[];
  /** Where each example ends in `all`. */
  readonly ends: readonly number[];
}

function numberFeatures(examples: readonly SoftmaxExample[]): SeenFeatures {
  const ids = new Map<string, number>();
  const counts: number[] = [];
  const lastSeen: number[] = [];
  const all: number[] = [];
  const ends: number[] = [];
  for (const [at, { features }] of examples.entries()) {
    for (const name of features) {
      let id = ids.get(name);
      if (id === undefined) {
        id = ids.size;
        ids.set(name, id);
        counts.push(0);
        lastSeen.push(-1);
      }
      if (lastSeen[id] === at) continue;
      lastSeen[id] = at;
      counts[id]! += 1;
      all.push(id);
    }
    ends.push(all.length);
  }
  return { ids, counts, all, ends };
}

function layOut({ all, ends }: SeenFeatures, rowOf: Int32Array): { starts: Int32Array; rows: Int32Array } {
  const starts = new Int32Array(ends.length + 1);
  const rows = new Int32Array(all.length);
  let kept = 0;
  let from = 0;
  for (const [at, end] of ends.entries()) {
    for (; from < end; from++) {
      const row = rowOf[all[from]!]!;
      if (row >= 0) rows[kept++] = row;
    }
    rows.subarray(starts[at], kept).sort();
    starts[at + 1] = kept;
  }
  return { starts, rows: rows.slice(0, kept) };
}

function checkNames(kind: string, names: readonly string[], most: number): void {
  if (names.length > most)
    throw invalid(`there are ${names.length} names of the kind ${kind}; expected ${most} at most`);
  const long = names.find(({ length }) => length > SOFTMAX_LIMITS.name);
  if (long !== undefined)
    throw invalid(
      `the ${kind} ${JSON.stringify(`${long.slice(0, 20)}…`)} has ${long.length} characters; expected ${SOFTMAX_LIMITS.name} at most`,
    );
}

function invalid(message: string): CandorError {
  return new CandorError('softmax.data-invalid', message);
}
