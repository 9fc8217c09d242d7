/**
 * Features 39 to 54: how a name is spelled, and how near it is to names of the schema (specification of node-level
 * uncertainty, section 7 C; group "lexical / typo" of arXiv 2511.13984). For Identifier, Column (by its name), Table and
 * TableAlias; any other node has the neutral values.
 */

import type { ReadQuery } from '../../faults/index.ts';
import { DIALECTS, type SqlNode } from '../../sql/index.ts';
import type { Feature, FeatureGroup, FeatureValue, NodeReader } from './feature.ts';
import type { FeatureSources } from './feature-sources.ts';
import {
  identifierOf,
  isNameInScope,
  isNameThere,
  type NameUse,
  referenceOf,
  useOf,
} from './lexical-names.ts';
import { type Spelling, spellingReader } from './lexical-spelling.ts';

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
