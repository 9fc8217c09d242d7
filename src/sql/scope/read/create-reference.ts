/** Builds the values that say what a name means. */

import { nearestNames } from '../../../language/index.ts';
import type { SqlNode } from '../../tree/node.ts';
import { computedLineage, NO_LINEAGE, openLineage, uniteLineages } from '../state/lineage.ts';
import { type Name, writtenName } from '../state/names.ts';
import type { Level, Reading } from '../state/reading.ts';
import type {
  AliasReference,
  AmbiguousReference,
  Candidate,
  ColumnReference,
  Held,
  OpenReference,
  Output,
  RowReference,
  SchemaIndex,
  Scope,
  Source,
  UnknownReference,
} from '../state/scope.ts';

const NEAREST = 3;
const NO_FIELDS: readonly string[] = Object.freeze([]);

export function columnReference(
  scope: Scope,
  { source, output }: Held,
  merged?: readonly Source[],
): ColumnReference {
  return { kind: 'column', scope, source, output, lineage: output.lineage, merged, fields: NO_FIELDS };
}

export function aliasReference(scope: Scope, output: Output): AliasReference {
  return { kind: 'alias', scope, output, lineage: output.lineage, fields: NO_FIELDS };
}

export function rowReference(source: Source): RowReference {
  return { kind: 'row', source, lineage: wholeLineage(source) };
}

/** That of all columns a source shows; of one that is open, the source itself. */
function wholeLineage(source: Source): RowReference['lineage'] {
  const known = WHOLE.get(source);
  if (known !== undefined) return known;
  const named = source.columns.list.map((output) => output.lineage);
  const rest = source.columns.openness === 'all' ? [openLineage({ source, name: '*' })] : [];
  const lineage = computedLineage([...named, ...rest]);
  WHOLE.set(source, lineage);
  return lineage;
}

/** A row may be named as often as there are words in a text. */
const WHOLE = new WeakMap<Source, RowReference['lineage']>();

/** `parts` is the name in the source, without its qualifiers. */
export function openReference(name: string, candidates: readonly Source[]): OpenReference {
  const source = candidates.length === 1 ? candidates[0] : undefined;
  const lineage = source === undefined ? NO_LINEAGE : openColumnLineage(source, name);
  return { kind: 'open', name, source, candidates, lineage };
}

/** A field of an element of an array comes from the array. */
function openColumnLineage(source: Source, name: string): OpenReference['lineage'] {
  const first = source.columns.list[0];
  if (source.kind === 'array' && first !== undefined) return computedLineage([first.lineage]);
  return openLineage({ source, name });
}

export function ambiguousReference(
  parts: readonly SqlNode[],
  candidates: readonly Candidate[],
): AmbiguousReference {
  return ambiguousColumn(writtenName(parts), candidates);
}

export function ambiguousColumn(name: string, candidates: readonly Candidate[]): AmbiguousReference {
  const lineage = uniteLineages(candidates.map(({ output }) => output.lineage));
  return { kind: 'ambiguous', name, candidates, lineage };
}

/** A column that no source in sight has. */
export function unknownColumn({ schema }: Reading, name: Name, level: Level): UnknownReference {
  const node = name.parts.at(-1) ?? name.node;
  return unknown({ missing: 'column', name: writtenName(name.parts), node, source: undefined }, () =>
    nearestColumns(schema, node.value ?? '', visibleColumns(level)),
  );
}

/** A column that the source named before the dot does not have. */
export function unknownColumnOf(
  { schema }: Reading,
  parts: readonly SqlNode[],
  sources: readonly Source[],
): UnknownReference {
  const node = parts.at(-1) as SqlNode;
  return unknown({ missing: 'column', name: writtenName(parts), node, source: sources[0] }, () =>
    nearestColumns(schema, node.value ?? '', sources.flatMap(namesOf)),
  );
}

/** A qualifier that names no source in sight. */
export function unknownSource(parts: readonly SqlNode[], level: Level): UnknownReference {
  const node = parts.at(-1) as SqlNode;
  return unknown({ missing: 'source', name: writtenName(parts), node, source: undefined }, () =>
    nearestNames(node.value ?? '', visibleNames(level), NEAREST),
  );
}

function unknown(
  what: Pick<UnknownReference, 'missing' | 'name' | 'node' | 'source'>,
  find: () => readonly string[],
): UnknownReference {
  let found: readonly string[] | undefined;
  return {
    kind: 'unknown',
    ...what,
    lineage: NO_LINEAGE,
    // Edit distances to every name in sight are the dearest part, and most callers never look at them.
    get nearest() {
      found ??= find();
      return found;
    },
  };
}

/** Near names at the place first, then tables that have exactly this column. */
function nearestColumns(
  { columnsByName }: SchemaIndex,
  name: string,
  visible: readonly string[],
): readonly string[] {
  const same = columnsByName.get(name.toLowerCase()) ?? [];
  const elsewhere = same.map((column) => `${column.table.name}.${column.name}`);
  return [...nearestNames(name, visible, NEAREST), ...elsewhere].slice(0, NEAREST);
}

function visibleColumns(level: Level): readonly string[] {
  const all: string[] = [];
  for (let at: Level | undefined = level; at !== undefined; at = at.outer) {
    for (const source of at.sources) all.push(...namesOf(source));
  }
  return all;
}

function namesOf(source: Source): readonly string[] {
  return source.columns.list.flatMap((output) => (output.name === undefined ? [] : [output.name]));
}

function visibleNames(level: Level): readonly string[] {
  const all: string[] = [];
  for (let at: Level | undefined = level; at !== undefined; at = at.outer) {
    for (const source of at.sources) if (source.name !== undefined) all.push(source.name);
  }
  return all;
}
