/** Finds out what a Column node means at its place. */
import type { SqlNode } from '../tree/node.ts';
import { unknownColumn } from './create-reference.ts';
import { NO_LINEAGE } from './lineage.ts';
import { readName } from './name.ts';
import type { Level, Reading } from './reading.ts';
import { resolveBare } from './resolve-bare.ts';
import { resolveQualified } from './resolve-qualified.ts';
import type { Reference } from './scope.ts';
import { isUnit } from './unit-words.ts';

const TEXT: Reference = { kind: 'text', lineage: NO_LINEAGE };
const UNIT: Reference = { kind: 'unit', lineage: NO_LINEAGE };

export function resolveColumn(reading: Reading, node: SqlNode, level: Level): Reference {
  const name = readName(node);
  if (name.parts.length > 1) return resolveQualified(reading, name, level);
  const quoted = name.parts[0]?.flags.quoted;
  if (quoted === undefined && reading.rules.hasBareUnits && isUnit(node, name.keys[0] ?? '')) return UNIT;
  const found = resolveBare(reading, name, level);
  if (found !== undefined) return found;
  if (quoted === '"' && reading.rules.quotedMayBeText) return TEXT;
  return unknownColumn(reading, name, level);
}
