/** Finds out what a bare name in ORDER BY means among the columns that the query itself shows. */
import { aliasReference, ambiguousReference, columnReference } from './create-reference.ts';
import type { Name } from './name.ts';
import type { Level, Reading } from './reading.ts';
import type { Output, Reference, Source } from './scope.ts';

export function resolveShown({ rules }: Reading, name: Name, level: Level): Reference | undefined {
  const key = name.keys[0] ?? '';
  const { byKey, repeated, list } = level.scope.outputs;
  const first = byKey.get(key);
  if (first === undefined) return undefined;
  const same = repeated.has(key) ? list.filter((output) => output.key === key) : [first];
  const named = same.filter(
    (output) => isNamed(output) && (rules.orderSeesPlainColumns || !level.plain.has(output)),
  );
  const [only] = named;
  if (only === undefined) return undefined;
  const alias = level.aliases.get(key);
  if (alias !== undefined && rules.repeatedInOrder === 'first-alias')
    return aliasReference(level.scope, alias);
  const isOne = named.length === 1 || named.every((output) => isSame(level, output, only));
  if (isOne || rules.repeatedInOrder === 'first') return referTo(level, only, key);
  return ambiguousReference(
    name.parts,
    named.map((output) => ({ source: shownBy(level, output), output })),
  );
}

function isNamed({ name }: Output): boolean {
  return name !== undefined;
}

/** A column shown twice is one; a table joined with itself shows two that come of the same output. */
function isSame(level: Level, a: Output, b: Output): boolean {
  if (level.merged.has(a.key ?? '')) return true;
  const [first, second] = [level.plain.get(a), level.plain.get(b)];
  if (first?.kind === 'column' && second?.kind === 'column') {
    return first.source === second.source && first.output === second.output;
  }
  const value = shownValue(level, a);
  const holders = level.sources.filter((source) => source.columns.list.includes(value));
  return value === shownValue(level, b) && holders.length < 2;
}

/** The column of a source that a star shows itself, or that an item of the list shows. */
function shownValue(level: Level, output: Output): Output {
  const { origin } = output;
  const only = origin.kind === 'outputs' && origin.outputs.length === 1 ? origin.outputs[0] : undefined;
  return only === undefined || sourceOf(level, output) !== undefined ? output : only;
}

/** The column that an item without AS or a star shows, or an alias. */
function referTo(level: Level, output: Output, key: string): Reference {
  const plain = level.plain.get(output);
  if (plain !== undefined) return plain;
  const merged = level.merged.get(key);
  const source = sourceOf(level, output) ?? (merged?.output === output ? merged.sources[0] : undefined);
  if (source === undefined) return aliasReference(level.scope, output);
  return columnReference(
    level.scope,
    { source, output },
    merged?.output === output ? merged.sources : undefined,
  );
}

function shownBy(level: Level, output: Output): Source | undefined {
  const plain = level.plain.get(output);
  return plain?.kind === 'column' ? plain.source : sourceOf(level, output);
}

function sourceOf({ sources }: Level, output: Output): Source | undefined {
  return sources.find((source) => source.columns.list.includes(output));
}
