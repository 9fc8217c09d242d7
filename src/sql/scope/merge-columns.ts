/** USING and NATURAL: columns of both sides that become one. */
import type { SqlNode } from '../tree/node.ts';
import {
  ambiguousColumn,
  ambiguousReference,
  columnReference,
  openReference,
  unknownColumnOf,
} from './create-reference.ts';
import { uniteLineages } from './lineage.ts';
import { type Level, type Reading, takeSteps } from './reading.ts';
import type { Held, MergedColumn, Output, Reference, Source } from './scope.ts';

interface Sides {
  readonly level: Level;
  readonly left: readonly Source[];
  readonly right: readonly Source[];
}

/** A USING column must be on both sides, and is one column from then on. */
export function mergeUsing(reading: Reading, names: readonly SqlNode[], sides: Sides): void {
  for (const name of names) {
    const key = (name.value ?? '').toLowerCase();
    const left = findLeft(reading, key, sides);
    const right = findColumn(key, sides.right, sides.level);
    const reference = usingReference(reading, name, { sides, left, right });
    reading.references[name.id] = reference;
    reading.used.push(reference.lineage);
    if (left.length > 0 && right.length > 0) merge(sides.level, key, [...left, ...right]);
  }
}

function findLeft(reading: Reading, key: string, { left, level }: Sides): readonly Held[] {
  const { rules } = reading;
  takeSteps(reading, left.length);
  const held = findColumn(key, left, level);
  return rules.usingTakesFirst ? held.slice(0, 1) : held;
}

/** The holders of a name on one side; those already merged count as one and come first. */
function findColumn(key: string, sources: readonly Source[], { merged }: Level): readonly Held[] {
  const known = merged.get(key);
  return sources.flatMap((source) => {
    const output = source.columns.byKey.get(key);
    if (output === undefined) return [];
    if (known?.holds.has(source) === true)
      return known.sources[0] === source ? [{ source, output: known.output }] : [];
    return [{ source, output }];
  });
}

interface Found {
  readonly sides: Sides;
  readonly left: readonly Held[];
  readonly right: readonly Held[];
}

function usingReference(reading: Reading, name: SqlNode, { sides, left, right }: Found): Reference {
  const missing = [
    { found: right, among: sides.right },
    { found: left, among: sides.left },
  ].find(
    ({ found, among }) => found.length === 0 && among.every((source) => source.columns.openness === 'none'),
  );
  if (missing !== undefined) return unknownColumnOf(reading, [name], missing.among);
  const twice = [left, right].find((held) => isTwice(reading, held));
  if (twice !== undefined) return ambiguousReference([name], twice);
  const first = left[0] ?? right[0];
  if (first === undefined) {
    const open = [...sides.left, ...sides.right].filter((source) => source.columns.openness !== 'none');
    return openReference(name.value ?? '', open);
  }
  const both = [...left, ...right];
  const output = mergeOutputs(both.map((candidate) => candidate.output));
  const sources = both.map((candidate) => candidate.source);
  return columnReference(sides.level.scope, { source: first.source, output }, sources);
}

/** More than one column of a name on one side; also inside one derived table, where that is an error. */
function isTwice({ rules }: Reading, held: readonly Held[]): boolean {
  const [only] = held;
  if (only === undefined || held.length > 1) return only !== undefined;
  const { key } = only.output;
  return rules.repeatedIsAmbiguous && key !== undefined && only.source.columns.repeated.has(key);
}

/** The join itself is the node of a name that one side has twice, since nothing in the text names it. */
export function mergeNatural(reading: Reading, join: SqlNode, sides: Sides): void {
  const { level, right } = sides;
  for (const source of right) {
    for (const { key, name } of source.columns.list) {
      const left = key === undefined ? [] : findLeft(reading, key, sides);
      if (key === undefined || left.length === 0) continue;
      const own = findColumn(key, right, level);
      const twice = [left, own].find((held) => isTwice(reading, held));
      if (twice !== undefined) reading.references[join.id] = ambiguousColumn(name ?? key, twice);
      merge(level, key, [...left, ...own]);
    }
  }
}

function merge(level: Level, key: string, candidates: readonly Held[]): void {
  const known: MergedColumn | undefined = level.merged.get(key);
  const holds = new Set([...(known?.sources ?? []), ...candidates.map(({ source }) => source)]);
  const outputs = [...(known === undefined ? [] : [known.output]), ...candidates.map(({ output }) => output)];
  level.merged.set(key, { output: mergeOutputs(outputs), sources: [...holds], holds });
}

function mergeOutputs(outputs: readonly Output[]): Output {
  const [first] = outputs as readonly [Output];
  const lineage = uniteLineages(outputs.map((output) => output.lineage));
  return {
    name: first.name,
    key: first.key,
    lineage,
    origin: { kind: 'outputs', outputs: [...new Set(outputs)] },
  };
}
