/**
 * Features 39 to 54: how a name is spelled, and how near it is to names of the schema (specification of node-level
 * uncertainty, section 7 C; group "lexical / typo" of arXiv 2511.13984). For Identifier, Column (by its name), Table and
 * TableAlias; any other node has the neutral values.
 */
import type { NearestName, SchemaFacts } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import { DIALECTS } from '../../sql/dialects/index.ts';
import type { Reference, Scope } from '../../sql/scope/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import type { Feature, FeatureGroup, FeatureSources, FeatureValue, NodeReader } from './feature.ts';

/** Of a node without a name, and of a name that nothing can be near to. */
export const NO_DISTANCE = 999;

const LEXICAL_FEATURES = [
  {
    name: 'edit_distance_nearest',
    kind: 'number',
    unit: 'letters',
    about: `Levenshtein distance to the nearest table or column, any case; 0 for a name that exists, ${NO_DISTANCE} without a name`,
    tell: (value) => tellDistance(value),
  },
  {
    name: 'edit_distance_norm',
    kind: 'ratio',
    unit: 'share',
    about: 'that distance by the length of the longer of both names; -1 without a name',
  },
  {
    name: 'nearest_is_in_scope',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the name, or else the nearest to it, is a source or a column of a source that the node sees',
  },
  {
    name: 'n_schema_identifiers_within_2',
    kind: 'count',
    unit: 'names',
    about: 'names of tables and columns within a distance of 2; 0 for a name that the query gives',
  },
  { name: 'name_length', kind: 'count', unit: 'characters', about: 'length of the name' },
  {
    name: 'n_name_tokens',
    kind: 'count',
    unit: 'words',
    about: 'words of the name: split at underscores, spaces, capitals, digits',
  },
  { name: 'has_digit', kind: 'boolean', unit: 'yes or no', about: 'the name has a digit' },
  { name: 'has_underscore', kind: 'boolean', unit: 'yes or no', about: 'the name has an underscore' },
  { name: 'is_all_caps', kind: 'boolean', unit: 'yes or no', about: 'all letters of the name are capitals' },
  {
    name: 'is_mixed_case',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the name has capitals and small letters',
  },
  { name: 'is_lower', kind: 'boolean', unit: 'yes or no', about: 'all letters of the name are small' },
  {
    name: 'has_space_or_special',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the name has a character that is no letter, digit or underscore',
  },
  { name: 'is_quoted', kind: 'boolean', unit: 'yes or no', about: 'the name is written in quotes' },
  {
    name: 'is_reserved_word',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the name is a word that the dialect reserves',
    tell: (value) => (value === 1 ? 'its name is a reserved word' : undefined),
  },
  {
    name: 'case_mismatch_with_schema',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the name exists, but is spelled with other capitals',
    tell: (value) => (value === 1 ? 'the database spells this name with other capitals' : undefined),
  },
  {
    name: 'matches_short_alias',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the name is one letter, with or without digits behind it',
  },
] as const satisfies readonly Feature[];

export const lexicalFeatures: FeatureGroup = { name: 'lexical', features: LEXICAL_FEATURES, open };

function tellDistance(value: FeatureValue): string | undefined {
  if (typeof value !== 'number' || value <= 0) return undefined;
  if (value === 1) return 'one letter away from a name that exists';
  if (value <= 3) return `${value} letters away from a name that exists`;
  return value < NO_DISTANCE ? 'no name in the database is near to it' : undefined;
}

const WIDTH = LEXICAL_FEATURES.length;

function open(query: ReadQuery, { schema }: FeatureSources): NodeReader {
  const spell = spellingReader(schema);
  const { reserved } = DIALECTS[query.tree.dialect];
  return (node, into, at) => {
    const identifier = identifierOf(node);
    if (identifier?.value === undefined) return writeNeutral(into, at);
    const spelling = spell(identifier.value);
    const use = useOf(identifier);
    writeNearness({ identifier, use, spelling, query }, into, at);
    into[at + 4] = spelling.name.length;
    into[at + 5] = spelling.tokenCount;
    into[at + 6] = spelling.hasDigit;
    into[at + 7] = spelling.hasUnderscore;
    into[at + 8] = spelling.isAllCaps;
    into[at + 9] = spelling.isMixedCase;
    into[at + 10] = spelling.isLower;
    into[at + 11] = spelling.hasSpaceOrSpecial;
    into[at + 12] = Number(identifier.flags.quoted !== undefined);
    into[at + 13] = Number(reserved.has(spelling.lower));
    into[at + 14] = Number(isMiscased(use, spelling));
    into[at + 15] = spelling.isShortAlias;
  };
}

function writeNeutral(into: FeatureValue[], at: number): void {
  into[at] = NO_DISTANCE;
  into[at + 1] = -1;
  for (let index = 2; index < WIDTH; index += 1) into[at + index] = 0;
}

interface NameInQuery {
  readonly identifier: SqlNode;
  readonly use: NameUse;
  readonly spelling: Spelling;
  readonly query: ReadQuery;
}

/** Features 39 to 42. Nothing is looked up for a name that the query gives. */
function writeNearness(name: NameInQuery, into: FeatureValue[], at: number): void {
  const { identifier, use, spelling, query } = name;
  const isThere = isNameThere(identifier, use, spelling, query);
  const isFromSchema = use !== 'given' && (!isThere || spelling.isTable || spelling.isColumn);
  const nearest = isFromSchema ? spelling.nearest() : undefined;
  const distance = isThere ? 0 : (nearest?.distance ?? NO_DISTANCE);
  into[at] = distance;
  into[at + 1] = relativeDistance(distance, spelling.name, nearest?.name ?? '');
  into[at + 2] = Number(isThere ? isUsable(name) : isInScope(name, nearest?.name));
  into[at + 3] = nearest?.within2 ?? 0;
}

function relativeDistance(distance: number, name: string, nearest: string): number {
  if (distance === 0) return 0;
  return distance === NO_DISTANCE ? 1 : distance / Math.max(name.length, nearest.length, 1);
}

/** Whether a name that exists can be seen from where it stands. */
function isUsable(name: NameInQuery): boolean {
  const { identifier, use, spelling, query } = name;
  if (use === 'given') return false;
  if (use === 'table' && identifier.parent !== undefined) {
    return query.scopes.sources[identifier.parent.id]?.kind !== 'unknown-table';
  }
  const reference = referenceOf(identifier, query);
  if (reference?.kind === 'column' || reference?.kind === 'alias') return true;
  return isInScope(name, spelling.name);
}

function isInScope({ identifier, query }: NameInQuery, name: string | undefined): boolean {
  return name !== undefined && isNameInScope(name.toLowerCase(), query.scopes.places[identifier.id]);
}

function isMiscased(use: NameUse, { isMiscasedTable, isMiscasedColumn }: Spelling): boolean {
  switch (use) {
    case 'given':
      return false;
    case 'column':
      return isMiscasedColumn;
    default:
      return isMiscasedTable;
  }
}

// Which name a node bears, what the name is used for, and whether something of that name is there.

/**
 * A `qualifier` stands before another name, in a column or a table. A name is `given` where the query itself makes it:
 * an alias, a CTE, a parameter, a word of a call.
 */
type NameUse = 'column' | 'table' | 'qualifier' | 'given';

/** The Identifier that names an Identifier, Column, Table or TableAlias; undefined for all others, stars and functions. */
function identifierOf(node: SqlNode): SqlNode | undefined {
  if (node.type === 'Identifier') return node;
  if (node.type !== 'Column' && node.type !== 'Table' && node.type !== 'TableAlias') return undefined;
  for (const below of node.children) {
    if (below.role === 'this') return below.type === 'Identifier' ? below : undefined;
  }
  return undefined;
}

function useOf({ role, parent }: SqlNode): NameUse {
  switch (parent?.type) {
    case 'Column':
      return role === 'this' ? 'column' : 'qualifier';
    case 'Table':
      return role === 'this' ? 'table' : 'qualifier';
    case 'Join':
    case 'Star':
      return 'column';
    default:
      return 'given';
  }
}

/** Whether the name exists: in the schema in its role, or because the query makes it. */
function isNameThere(identifier: SqlNode, use: NameUse, spelling: Spelling, query: ReadQuery): boolean {
  switch (use) {
    case 'given':
      return true;
    case 'table':
      return spelling.isTable || isSourceKnown(identifier, query);
    case 'qualifier':
      return spelling.isTable || isQualifierKnown(identifier, query);
    case 'column':
      return spelling.isColumn || isColumnKnown(referenceOf(identifier, query));
  }
}

/** Of the Column the Identifier stands in, or its own: USING, EXCEPT of a star. */
function referenceOf({ id, parent }: SqlNode, { scopes }: ReadQuery): Reference | undefined {
  return scopes.references[id] ?? (parent && scopes.references[parent.id]);
}

function isSourceKnown({ parent }: SqlNode, { scopes }: ReadQuery): boolean {
  const source = parent && scopes.sources[parent.id];
  return source !== undefined && source.kind !== 'unknown-table';
}

function isQualifierKnown(identifier: SqlNode, query: ReadQuery): boolean {
  if (identifier.parent?.type === 'Table') return isSourceKnown(identifier, query);
  const reference = referenceOf(identifier, query);
  if (reference === undefined) return false;
  return reference.kind !== 'unknown' || (reference.node !== identifier && reference.missing === 'column');
}

/** An open column may be there or not; that a source is unknown does not make its name exist. */
function isColumnKnown(reference: Reference | undefined): boolean {
  switch (reference?.kind) {
    case undefined:
    case 'unknown':
    case 'open':
    case 'text':
      return false;
    default:
      return true;
  }
}

/** Whether a source that a node sees bears the name (lower case), or has a column of it: in its own query or an outer one. */
function isNameInScope(lower: string, scope: Scope | undefined): boolean {
  for (let at = scope; at !== undefined; at = at.outer) {
    for (const { key, table, columns } of at.sources) {
      if (key === lower || table?.key === lower || columns.byKey.has(lower)) return true;
    }
  }
  return false;
}

/** What the spelling of a name tells, and the name of the schema nearest to it; read once for each name of a schema. */
interface Spelling {
  readonly name: string;
  readonly lower: string;
  /** Words of letters and runs of digits. */
  readonly tokenCount: number;
  readonly hasDigit: number;
  readonly hasUnderscore: number;
  readonly isAllCaps: number;
  readonly isMixedCase: number;
  readonly isLower: number;
  readonly hasSpaceOrSpecial: number;
  readonly isShortAlias: number;
  readonly isTable: boolean;
  readonly isColumn: boolean;
  /** A table (a column) has this name in other cases only. */
  readonly isMiscasedTable: boolean;
  readonly isMiscasedColumn: boolean;
  /** Looked for when first asked; undefined in an empty schema and for names too long to be a typing error. */
  readonly nearest: () => NearestName | undefined;
}

/** A text in double quotes can be of any length: longer ones are neither searched for nor kept. */
const LONGEST_SEARCHED = 80;
/** Names kept for a schema; texts of many queries pass through a long session. */
const MOST_KEPT = 20_000;

const KEPT = new WeakMap<SchemaFacts, Map<string, Spelling>>();

export type SpellingReader = (name: string) => Spelling;

/** The reader of a schema; what it has read is kept as long as the schema is. */
export function spellingReader(schema: SchemaFacts): SpellingReader {
  const kept = KEPT.get(schema) ?? new Map<string, Spelling>();
  KEPT.set(schema, kept);
  return (name) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const spelling = readSpelling(name, schema);
    if (name.length > LONGEST_SEARCHED) return spelling;
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(name, spelling);
    return spelling;
  };
}

/** `FRPMCount` → FRPM, Count; `address2` → address, 2; letters without cases stay together. */
const TOKENS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|[\p{Lt}\p{Lm}\p{Lo}]+/gu;

function readSpelling(name: string, schema: SchemaFacts): Spelling {
  const lower = name.toLowerCase();
  const upper = name.toUpperCase();
  const tables = schema.tablesNamed.get(lower) ?? [];
  const columns = schema.columnsNamed.get(lower) ?? [];
  let nearest: { readonly found: NearestName | undefined } | undefined;
  return {
    name,
    lower,
    tokenCount: name.match(TOKENS)?.length ?? 0,
    hasDigit: Number(/\p{N}/u.test(name)),
    hasUnderscore: Number(name.includes('_')),
    isAllCaps: Number(name === upper && name !== lower),
    isMixedCase: Number(name !== upper && name !== lower),
    isLower: Number(name === lower && name !== upper),
    hasSpaceOrSpecial: Number(/[^\p{L}\p{N}_]/u.test(name)),
    isShortAlias: Number(/^\p{L}\p{N}*$/u.test(name)),
    isTable: tables.length > 0,
    isColumn: columns.length > 0,
    isMiscasedTable: tables.length > 0 && tables.every((table) => table.name !== name),
    isMiscasedColumn: columns.length > 0 && columns.every((column) => column.name !== name),
    nearest: () => {
      nearest ??= { found: name.length > LONGEST_SEARCHED ? undefined : schema.nearest(name) };
      return nearest.found;
    },
  };
}
