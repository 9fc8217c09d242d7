/** Finds out what a bare name in ORDER BY means among the columns that the query itself shows. */
import { aliasReference, ambiguousReference, columnReference } from './create-reference.ts';
import type { Name } from './name.ts';
import type { NameRules } from './name-rules.ts';
import { type Level, type Reading, type ShownName, takeSteps } from './reading.ts';
import type { Output, Reference, Source } from './scope.ts';

export function resolveShown(reading: Reading, name: Name, level: Level): Reference | undefined {
  const { rules } = reading;
  const key = name.keys[0] ?? '';
  const { named, isOne } = shownAs(rules, level, key);
  const [only] = named;
  if (only === undefined) return undefined;
  const alias = level.aliases.get(key);
  if (alias !== undefined && rules.repeatedInOrder === 'first-alias')
    return aliasReference(level.scope, alias);
  if (isOne || rules.repeatedInOrder === 'first') return referTo(level, only, key);
  takeSteps(reading, named.length);
  return ambiguousReference(
    name.parts,
    named.map((output) => ({ source: shownBy(level, output), output })),
  );
}

const NOTHING: ShownName = { named: [], isOne: true };

/** Looked up once for each name: a list may show one name a thousand times and be ordered by it as often. */
function shownAs(rules: NameRules, level: Level, key: string): ShownName {
  const { outputs } = level.scope;
  const first = outputs.byKey.get(key);
  if (first === undefined) return NOTHING;
  if (!outputs.repeated.has(key)) {
    return isNamed(rules, level, first) ? { named: [first], isOne: true } : NOTHING;
  }
  const known = level.shown.get(key);
  if (known !== undefined) return known;
  const named = outputs.list.filter((output) => output.key === key && isNamed(rules, level, output));
  const [only] = named;
  const isOne = only !== undefined && named.every((output) => isSame(level, output, only));
  const shown = { named, isOne: named.length === 1 || isOne };
  level.shown.set(key, shown);
  return shown;
}

function isNamed(rules: NameRules, level: Level, output: Output): boolean {
  return output.name !== undefined && (rules.orderSeesPlainColumns || !level.plain.has(output));
}

/** A column shown twice is one; a table joined with itself shows two that come of the same output. */
function isSame(level: Level, a: Output, b: Output): boolean {
  if (level.merged.has(a.key ?? '')) return true;
  const [first, second] = [level.plain.get(a), level.plain.get(b)];
  if (first?.kind === 'column' && second?.kind === 'column') {
    return first.source === second.source && first.output === second.output;
  }
  const value = shownValue(level, a);
  return value === shownValue(level, b) && sourcesOf(level, value).length < 2;
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

function sourceOf(level: Level, output: Output): Source | undefined {
  return sourcesOf(level, output)[0];
}

/** The sources that have this very column, in the order of FROM. */
function sourcesOf({ sources }: Level, output: Output): readonly Source[] {
  const { key } = output;
  return sources.filter(({ columns }) =>
    key === undefined || columns.repeated.has(key)
      ? columns.list.includes(output)
      : columns.byKey.get(key) === output,
  );
}
