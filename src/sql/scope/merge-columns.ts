/** USING and NATURAL: columns of both sides that become one. */
import type { SqlNode } from '../tree/node.ts';
import { ambiguousReference, columnReference, openReference, unknownColumnOf } from './create-reference.ts';
import { uniteLineages } from './lineage.ts';
import type { Level, Reading } from './reading.ts';
import type { Candidate, MergedColumn, Output, Reference, Source } from './scope.ts';

interface Sides {
  readonly level: Level;
  readonly left: readonly Source[];
  readonly right: readonly Source[];
}

/** A USING column must be on both sides, and is one column from then on. */
export function mergeUsing(reading: Reading, names: readonly SqlNode[], sides: Sides): void {
  for (const name of names) {
    const key = (name.value ?? '').toLowerCase();
    const left = findColumn(key, sides.left, sides.level);
    const right = findColumn(key, sides.right, sides.level);
    const reference = usingReference(reading, name, { sides, left, right });
    reading.references[name.id] = reference;
    reading.used.push(reference.lineage);
    if (left.length > 0 && right.length > 0) merge(sides.level, key, [...left, ...right]);
  }
}

/** The holders of a name on one side; those already merged count as one and come first. */
function findColumn(key: string, sources: readonly Source[], { merged }: Level): readonly Candidate[] {
  const known = merged.get(key);
  return sources.flatMap((source) => {
    const output = source.columns.byKey.get(key);
    if (output === undefined) return [];
    if (known?.sources.includes(source))
      return known.sources[0] === source ? [{ source, output: known.output }] : [];
    return [{ source, output }];
  });
}

interface Found {
  readonly sides: Sides;
  readonly left: readonly Candidate[];
  readonly right: readonly Candidate[];
}

function usingReference(reading: Reading, name: SqlNode, { sides, left, right }: Found): Reference {
  const missing = [
    { found: right, among: sides.right },
    { found: left, among: sides.left },
  ].find(
    ({ found, among }) => found.length === 0 && among.every((source) => source.columns.openness === 'none'),
  );
  if (missing !== undefined) return unknownColumnOf(reading, [name], missing.among);
  if (left.length > 1 || right.length > 1) return ambiguousReference([name], left.length > 1 ? left : right);
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

export function mergeNatural({ level, left, right }: Sides): void {
  for (const source of right) {
    for (const { key } of source.columns.list) {
      const held = key === undefined ? [] : findColumn(key, left, level);
      if (key !== undefined && held.length > 0)
        merge(level, key, [...held, ...findColumn(key, right, level)]);
    }
  }
}

function merge(level: Level, key: string, candidates: readonly Candidate[]): void {
  const known: MergedColumn | undefined = level.merged.get(key);
  const sources = new Set([...(known?.sources ?? []), ...candidates.map(({ source }) => source)]);
  const outputs = [...(known === undefined ? [] : [known.output]), ...candidates.map(({ output }) => output)];
  level.merged.set(key, { output: mergeOutputs(outputs), sources: [...sources] });
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
