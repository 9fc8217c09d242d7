/**
 * Features 55 to 72: what stands around a node in its SELECT, its operator and its call (specification of node-level
 * uncertainty, section 7 D; group "context / operators" of arXiv 2511.13984). What the specification says of a Column
 * holds for the Identifiers in it too, and what it says of an operator for its operands: they are blamed together.
 */
import {
  comparedWith,
  compatibilityReader,
  isPattern,
  literalLength,
  literalType,
  operandsOf,
  operatorAt,
  presence,
  type ReadQuery,
  readSelects,
  type SelectContext,
  unwrapped,
  writtenText,
} from '../../faults/reading/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { READING } from '../../sql/guard/index.ts';
import { child, type SqlNode } from '../../sql/tree/index.ts';
import type { Feature, FeatureGroup, FeatureSources, FeatureValue, NodeReader } from './feature.ts';

// Names, kinds, units and words of features 55 to 72.

const FAMILIES = 'numeric, text, date, bool, other or unknown; none';

const CONTEXT_FEATURES = [
  {
    name: 'non_agg_column_without_group_by',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'a column of a select list that has an aggregate beside it, and there is no GROUP BY',
    tell: when(1, 'neither aggregated nor grouped by, though the query aggregates'),
  },
  {
    name: 'select_has_aggregate',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the SELECT it stands in has an aggregate',
  },
  {
    name: 'select_has_group_by',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the SELECT it stands in has a GROUP BY',
  },
  {
    name: 'column_in_group_by',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'its SELECT groups by this column',
  },
  { name: 'inside_aggregate', kind: 'boolean', unit: 'yes or no', about: 'it stands inside an aggregate' },
  {
    name: 'operand_compat',
    kind: 'ratio',
    unit: 'share',
    about:
      'types of the sides of its operator: 1 the same family, 0.5 one can be read as the other, 0 they cannot, -1 unknown or no operator',
    tell: when(0, 'the types on the two sides do not go together'),
  },
  {
    name: 'left_type',
    kind: 'category',
    unit: 'name',
    about: `left side of its operator: ${FAMILIES} without`,
  },
  {
    name: 'right_type',
    kind: 'category',
    unit: 'name',
    about: `right side of its operator: ${FAMILIES} without`,
  },
  {
    name: 'literal_type',
    kind: 'category',
    unit: 'name',
    about: `type of a literal: ${FAMILIES} if not one`,
  },
  {
    name: 'literal_matches_column_type',
    kind: 'ratio',
    unit: 'share',
    about: 'type of a literal beside that of what it is compared with, as operand_compat; -1 if not compared',
    tell: when(0, 'a value of another type than what it is compared with'),
  },
  {
    name: 'literal_in_sampled_values',
    kind: 'ratio',
    unit: 'share',
    about:
      'the column it is compared with has this value: 1 exactly, 0.5 in other case or spaces, 0.25 not among those seen, 0 not at all, -1 no values known',
    tell: tellPresence,
  },
  {
    name: 'literal_length',
    kind: 'number',
    unit: 'characters or log10',
    about: 'characters of a text, log10(1 + |v|) of a number, 0 if no literal',
  },
  {
    name: 'like_has_wildcard',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the pattern of LIKE and its kin has a wildcard',
  },
  {
    name: 'like_pattern_length',
    kind: 'count',
    unit: 'characters',
    about: 'length of the pattern of LIKE and its kin',
  },
  { name: 'in_list_size', kind: 'count', unit: 'values', about: 'values in the list of IN' },
  {
    name: 'n_conjuncts_in_clause',
    kind: 'count',
    unit: 'conditions',
    about: 'conditions joined by AND in the WHERE, HAVING, QUALIFY or ON it stands in',
  },
  {
    name: 'limit_without_order',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'a LIMIT where no order says which rows come first',
    tell: when(1, 'a limit without an order: which rows come first is left open'),
  },
  {
    name: 'function_known',
    kind: 'ratio',
    unit: 'share',
    about:
      '1 the dialect has this function and the number of arguments fits, 0.5 it does not fit, 0 no such function, -1 no call',
    tell: tellFunction,
  },
] as const satisfies readonly Feature[];

export const contextFeatures: FeatureGroup = { name: 'context', features: CONTEXT_FEATURES, open };

function open(query: ReadQuery, { schema }: FeatureSources): NodeReader {
  const selects = readSelects(query);
  const isCompatible = compatibilityReader(query, schema);
  return (node, into, at) => {
    writeSelect(node, selects, into, at);
    writeOperator(node, into, at + 5);
    writeLiteral(node, into, at + 8);
    const pattern = likePatternAt(node, query);
    into[at + 12] = Number(pattern?.hasWildcard ?? false);
    into[at + 13] = pattern?.length ?? 0;
    into[at + 14] = listSizeAt(node);
    into[at + 15] = selects.countConditions(node);
    into[at + 16] = Number(hasLimitWithoutOrder(node));
    into[at + 17] = functionKnown(node, query.tree.dialect);
  };

  /** Features 60 to 62. */
  function writeOperator(node: SqlNode, into: FeatureValue[], at: number): void {
    const operator = operatorAt(node);
    const operands = operator && operandsOf(operator);
    if (operands === undefined) {
      into[at] = -1;
      into[at + 1] = 'none';
      into[at + 2] = 'none';
      return;
    }
    into[at] = isCompatible(operands.operator, operands.left, operands.right);
    into[at + 1] = query.families[operands.left.id] ?? 'unknown';
    into[at + 2] = query.families[operands.right.id] ?? 'unknown';
  }

  /** Features 63 to 66. */
  function writeLiteral(node: SqlNode, into: FeatureValue[], at: number): void {
    const type = literalType(node, query);
    const compared = type === 'none' ? undefined : comparedWith(node);
    into[at] = type;
    into[at + 1] = compared === undefined ? -1 : isCompatible(compared.operator, compared.opposite, node);
    into[at + 2] = compared === undefined ? -1 : presence(node, compared, { query, schema });
    into[at + 3] = type === 'none' ? 0 : literalLength(node, query);
  }
}

/** Features 55 to 59. */
function writeSelect(node: SqlNode, selects: SelectContext, into: FeatureValue[], at: number): void {
  const select = selects.selects[node.id] ?? -1;
  const hasGroup = selects.hasGroup(select);
  const column = columnAt(node);
  const isLoose =
    column !== undefined && !hasGroup && selects.hasListAggregate(select) && selects.isInList(node);
  into[at] = Number(isLoose && !selects.isInAggregate(node));
  into[at + 1] = Number(selects.hasAggregate(select));
  into[at + 2] = Number(hasGroup);
  into[at + 3] = Number(hasGroup && column !== undefined && selects.isGrouped(column));
  into[at + 4] = Number(selects.isInAggregate(node));
}

/** The Column that a node is or is a name in. */
function columnAt(node: SqlNode): SqlNode | undefined {
  const column = node.type === 'Identifier' ? node.parent : node;
  return column?.type === 'Column' ? column : undefined;
}

// Whether a called function exists in the dialect and is given as many arguments as it takes.

/** 1 known and the number of arguments fits, or is on no list; 0.5 it does not fit; 0 unknown; -1 no call. */
function functionKnown(node: SqlNode, dialect: DialectName): number {
  if (node.flags.call === undefined) return -1;
  const name = (node.value ?? '').toLowerCase();
  if (!isKnown(name, node, dialect)) return 0;
  const arity = node.flags.call === 'bare' ? undefined : arityOf(name, dialect);
  if (arity === undefined) return 1;
  const count = countArguments(node);
  return count >= arity.least && count <= arity.most ? 1 : 0.5;
}

/** Calls whose words are syntax and stand on no list of functions; SQLite has none but CAST. */
const SYNTAX: ReadonlySet<string> = new Set(
  'cast try_cast safe_cast convert extract position overlay match'.split(' '),
);

function isKnown(name: string, { type }: SqlNode, dialect: DialectName): boolean {
  const { functions, tableFunctions } = READING[dialect];
  if (functions.has(name) || tableFunctions.has(name) || name === 'cast') return true;
  return dialect !== 'sqlite' && type !== 'Anonymous' && SYNTAX.has(name);
}

const ARGUMENTS: ReadonlySet<string> = new Set('this expressions expression true false to'.split(' '));

function countArguments({ children }: SqlNode): number {
  let count = 0;
  for (const { role, type, children: below } of children) {
    if (!ARGUMENTS.has(role)) continue;
    count += type === 'Distinct' ? below.length : 1;
  }
  return count;
}

/** How many arguments common functions take, as data: `NAME least-most`, `NAME n`, `NAME least+`. From the engines' manuals. */
export interface Arity {
  readonly least: number;
  readonly most: number;
}

const EVERYWHERE = `
count 0+ sum 1 avg 1 total 1 min 1 max 1 median 1 mode 1 stddev 1 stddev_pop 1 stddev_samp 1 variance 1 var_pop 1
var_samp 1 bool_and 1 bool_or 1 every 1 corr 2 covar_pop 2 covar_samp 2 string_agg 1-2 group_concat 1-2 array_agg 1
abs 1 ceil 1 ceiling 1 floor 1 sign 1 sqrt 1 exp 1 ln 1 log 1-2 log10 1 log2 1 pow 2 power 2 mod 2 pi 0 radians 1
degrees 1 sin 1 cos 1 tan 1 asin 1 acos 1 atan 1 atan2 2 round 1-2 trunc 1-2
lower 1 upper 1 length 1 char_length 1 character_length 1 octet_length 1 trim 1-2 ltrim 1-2 rtrim 1-2 replace 3
substr 2-3 substring 2-3 left 2 right 2 repeat 2 reverse 1 lpad 2-3 rpad 2-3 concat 1+ concat_ws 2+ ascii 1 chr 1
initcap 1 position 2 overlay 3-4 split_part 3 translate 3 regexp_replace 3-4
coalesce 1+ nullif 2 ifnull 2 nvl 2 greatest 1+ least 1+ if 3
row_number 0 ntile 1 lag 1-3 lead 1-3 first_value 1 last_value 1 nth_value 2
extract 2 date_part 2 date_trunc 2-3 cast 1-2 try_cast 1-2`;

const DIFFERENT: Readonly<Partial<Record<DialectName, string>>> = {
  sqlite: `
count 0-1 min 1+ max 1+ coalesce 2+ iif 2+ if 2+ instr 2 char 0+ hex 1 unhex 1-2 unicode 1 quote 1 typeof 1 random 0 trunc 1 soundex 1
printf 1+ format 1+ glob 2 like 2-3 likely 1 unlikely 1 likelihood 2 lag 1-3 lead 1-3
date 0+ time 0+ datetime 0+ julianday 0+ unixepoch 0+ strftime 1+ timediff 2
json 1 json_array_length 1-2 json_extract 2+ json_type 1-2 json_valid 1-2 json_group_array 1 json_group_object 2 json_quote 1
percentile 2 percentile_cont 2 percentile_disc 2`,
  duckdb: `
min 1-2 max 1-2 any_value 1 arg_min 2-3 arg_max 2-3 min_by 2-3 max_by 2-3 approx_count_distinct 1 list 1 quantile_cont 2 quantile_disc 2
trunc 1-2 instr 2 strpos 2 contains 2 starts_with 2 ends_with 2 prefix 2 suffix 2 regexp_matches 2-3 regexp_extract 2-4
regexp_replace 3-4 regexp_full_match 2-3 string_split 2 levenshtein 2 printf 1+ format 1+ strlen 1
strftime 2 strptime 2 try_strptime 2 date_diff 3 datediff 3 date_add 2 date_sub 3 datesub 3 make_date 1-3 last_day 1
year 1 month 1 day 1 hour 1 minute 1 second 1 quarter 1 week 1 dayofweek 1 dayofyear 1 weekday 1 isodow 1 monthname 1 dayname 1
epoch 1 epoch_ms 1 now 0 today 0 age 1-2 to_timestamp 1 random 0 gcd 2 lcm 2 factorial 1 cbrt 1`,
  postgres: `
count 0-1 greatest 1+ least 1+ strpos 2 starts_with 2 btrim 1-2 md5 1 to_char 2 to_date 2 to_number 2 to_timestamp 1-2 format 1+
age 1-2 now 0 make_date 3 date_bin 3 justify_days 1 random 0-2 gcd 2 lcm 2 factorial 1 cbrt 1 div 2
regexp_replace 3-6 regexp_match 2-3 regexp_matches 2-3 regexp_like 2-3 regexp_count 2-4 string_to_array 2-3 array_to_string 2-3
string_agg 2 array_length 2 cardinality 1 unnest 1+ json_agg 1 jsonb_agg 1 log 1-2`,
};

const ARITIES = new Map<DialectName, ReadonlyMap<string, Arity>>();

/** What a function of a dialect takes, by its name in lower case; undefined where it is not in the list. */
export function arityOf(name: string, dialect: DialectName): Arity | undefined {
  const known = ARITIES.get(dialect) ?? new Map([...read(EVERYWHERE), ...read(DIFFERENT[dialect] ?? '')]);
  ARITIES.set(dialect, known);
  return known.get(name);
}

function read(text: string): readonly (readonly [name: string, arity: Arity])[] {
  const matches = text.matchAll(/([a-z_]\w*)\s+(\d+)(?:-(\d+)|(\+))?/g);
  return [...matches].map(([, name = '', least = '0', most, isOpen]) => {
    const arity = {
      least: Number(least),
      most: isOpen === undefined ? Number(most ?? least) : Number.POSITIVE_INFINITY,
    };
    return [name, arity] as const;
  });
}

// Lists of IN, and limits.

/** Values written out in the list of the IN that a node is, or stands in the list of; 0 elsewhere and for a query. */
function listSizeAt(node: SqlNode): number {
  const list = node.role === 'expressions' && node.parent?.type === 'In' ? node.parent : node;
  if (list.type !== 'In') return 0;
  let size = 0;
  for (const { role } of list.children) if (role === 'expressions') size += 1;
  return size;
}

/** Whether a node is a limit, or a number of one, and its query has no order to take the first rows of. */
function hasLimitWithoutOrder(node: SqlNode): boolean {
  const limit = node.parent !== undefined && isLimit(node.parent) ? node.parent : node;
  return isLimit(limit) && limit.parent !== undefined && child(limit.parent, 'order') === undefined;
}

function isLimit({ type }: SqlNode): boolean {
  return type === 'Limit' || type === 'Fetch';
}

/** The pattern of LIKE and its kin. */
export interface LikePattern {
  readonly hasWildcard: boolean;
  /** Characters of it that are written out. */
  readonly length: number;
}

/** Of an operator that matches patterns, and of the text that is its pattern; undefined for any other node. */
function likePatternAt(node: SqlNode, query: ReadQuery): LikePattern | undefined {
  const operator = isPattern(node) ? node : operatorOfPattern(node);
  if (operator === undefined) return undefined;
  const pattern = child(operator, 'expression');
  const texts = pattern === undefined ? [] : textsIn(unwrapped(pattern), query);
  const wildcard = WILDCARDS[operator.type] ?? LIKE_WILDCARD;
  return {
    hasWildcard: texts.some((text) => wildcard.test(text)),
    length: texts.reduce((sum, text) => sum + text.length, 0),
  };
}

const LIKE_WILDCARD = /[%_]/;
const WILDCARDS: Readonly<Record<string, RegExp>> = {
  Glob: /[*?[]/,
  SimilarTo: /[%_|*+?{([]/,
  RegexpLike: /[.^$*+?{}[\]\\|()]/,
  RegexpILike: /[.^$*+?{}[\]\\|()]/,
};

function operatorOfPattern(node: SqlNode): SqlNode | undefined {
  let at = node;
  while (at.parent?.type === 'Collate' || at.parent?.type === 'Paren') at = at.parent;
  const { role, parent } = at;
  return role === 'expression' && parent !== undefined && isPattern(parent) ? parent : undefined;
}

/** A pattern may be put together: `'%' || name || '%'`. */
function textsIn(pattern: SqlNode, query: ReadQuery): readonly string[] {
  const text = writtenText(pattern, query);
  if (text !== undefined) return [text];
  if (pattern.type !== 'DPipe' && pattern.type !== 'Concat' && pattern.type !== 'Paren') return [];
  return pattern.children.flatMap((part) => textsIn(part, query));
}

function when(said: number, text: string): (value: FeatureValue) => string | undefined {
  return (value) => (value === said ? text : undefined);
}

function tellPresence(value: FeatureValue): string | undefined {
  switch (value) {
    case 1:
      return 'the column has this value';
    case 0.5:
      return 'the column spells this value with other capitals or spaces';
    case 0.25:
      return 'not among the values seen in the column';
    case 0:
      return 'the column does not have this value';
    default:
      return undefined;
  }
}

function tellFunction(value: FeatureValue): string | undefined {
  if (value === 0) return 'no function of this name is known';
  return value === 0.5 ? 'called with an unusual number of arguments' : undefined;
}
