/** Keys of what has no parts: literals, names, functions, types, and the words that the parser does not read. */
import type { DialectName } from '../dialects/dialect.ts';
import { inQuotes } from '../dialects/quoting.ts';
import type { Clause, NameRules } from '../scope/state/name-rules.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import type { Names, Outputs, Source } from './names.ts';
import type { NameResolver, NormalOptions, NormalQuery, Part } from './normal-form.ts';
import { operandsOf } from './query-nodes.ts';

export function literalKey(node: SqlNode): string {
  const value = node.value ?? '';
  return node.flags.string === undefined ? numberKey(value) : textKey(value);
}

export function textKey(value: string): string {
  return inQuotes(value, "'");
}

const SHORT_INTEGER = /^(?:0|[1-9]\d{0,14})$/;

/** `1`, `1.0`, `01` and `1e0` are one; a number with more digits than a double holds stays as written. */
function numberKey(written: string): string {
  if (SHORT_INTEGER.test(written)) return written;
  const plain = written.replaceAll('_', '').toLowerCase();
  const digits = plain.replace(/e.*$/, '').replace('.', '').replace(/^0+/, '');
  const value = Number(plain);
  return digits.length > 15 || !Number.isFinite(value) ? longNumberKey(plain) : String(value);
}

function longNumberKey(plain: string): string {
  const trimmed = plain.replace(/^0+(?=\d)/, '');
  return /^[\d.]+$/.test(trimmed) && trimmed.includes('.') ? trimmed.replace(/\.?0+$/, '') : trimmed;
}

/** Names are equal without quotes and in lower case; those that need quotes get one kind. */
const PLAIN = /^[a-z_][a-z0-9_]*$/;

export function identifierKey(name: string): string {
  const lower = name.toLowerCase();
  return PLAIN.test(lower) ? lower : inQuotes(lower, '"');
}

// The name a called function is known by: upper case, and one of those that mean the same in every dialect.

const SAME_FUNCTIONS: ReadonlyMap<string, string> = new Map(
  `COALESCE: IFNULL NVL; SUBSTRING: SUBSTR; CEIL: CEILING; POW: POWER; LOWER: LCASE; UPPER: UCASE;
  CHAR_LENGTH: CHARACTER_LENGTH; STDDEV: STDEV; RANDOM: RAND; CURRENT_TIMESTAMP: NOW; DATE_TRUNC: DATETRUNC;
  GROUP_CONCAT: STRING_AGG LISTAGG; BOOL_AND: EVERY; ARG_MAX: MAX_BY ARGMAX; ARG_MIN: MIN_BY ARGMIN`
    .split(';')
    .flatMap((line) => {
      const [name = '', others = ''] = line.split(':').map((part) => part.trim());
      return others.split(' ').map((other) => [other, name] as const);
    }),
);

export function functionName({ value }: SqlNode): string {
  const name = (value ?? '').toUpperCase();
  return SAME_FUNCTIONS.get(name) ?? name;
}

// The name of a type where several are one type.

const SAME_TYPES: ReadonlyMap<string, string> = new Map([
  ['INTEGER', 'INT'],
  ['INT4', 'INT'],
  ['INT8', 'BIGINT'],
  ['BOOL', 'BOOLEAN'],
  ['NUMERIC', 'DECIMAL'],
  ['DOUBLE PRECISION', 'DOUBLE'],
  ['FLOAT8', 'DOUBLE'],
  ['FLOAT4', 'REAL'],
  ['CHARACTER VARYING', 'VARCHAR'],
  ['CHAR VARYING', 'VARCHAR'],
  ['CHARACTER', 'CHAR'],
  ['TIMESTAMP WITHOUT TIME ZONE', 'TIMESTAMP'],
  ['TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'],
]);

export function typeName(name: string, dialect: DialectName): string {
  const upper = name.toUpperCase();
  return dialect === 'sqlite' ? affinity(upper) : (SAME_TYPES.get(upper) ?? upper);
}

/** SQLite knows five types only, by the words in the name: https://www.sqlite.org/datatype3.html, section 3.1. */
function affinity(name: string): string {
  if (name.includes('INT')) return 'INT';
  if (/CHAR|CLOB|TEXT/.test(name)) return 'TEXT';
  if (name.includes('BLOB')) return 'BLOB';
  return /REAL|FLOA|DOUB/.test(name) ? 'REAL' : 'DECIMAL';
}

/** The key of what the parser does not read: its words, with keywords and bare names in one case. */
export function unreadKey({ tree }: Pick<Keying, 'tree'>, { start, end }: SqlNode): string {
  return tree.tokens
    .filter((token) => token.start >= start && token.end <= end && !['space', 'comment'].includes(token.kind))
    .map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : text))
    .join(' ');
}

/** What the rules of the canonical form share while they go over one tree. */
export interface Keying {
  readonly tree: SqlTree;
  readonly rules: NameRules;
  readonly options: NormalOptions;
  readonly resolver: NameResolver | undefined;
  /** Makes a short name of a long key, where keys are only compared and never shown. */
  readonly fold: (key: string) => string;
  /** Keys by node id, as far as they have been made. */
  readonly keys: (string | undefined)[];
  /** The entries of FROM that columns belong to, by node id, as far as they are known. */
  readonly owners: (Source | undefined)[];
  readonly cache: { columnNames: ReadonlySet<string> | undefined };
  /** Handed in, since expressions hold queries and queries expressions. */
  readonly readQuery: (keying: Keying, node: SqlNode) => NormalQuery;
  /** The key of an expression inside another. */
  readonly keyOf: (keying: Keying, node: SqlNode) => string;
  /** The names that hold here. */
  readonly names: Names;
  readonly clause: Clause;
  readonly ctes: ReadonlyMap<string, CteName>;
  /** Queries met in expressions of the query at hand. */
  readonly found: NormalQuery[];
}

/** Makes the keys of one type of node. */
export type KeyRule = (keying: Keying, node: SqlNode) => string;

export interface CteName {
  readonly label: string;
  readonly outputs: Outputs | undefined;
}

const MAX_PLAIN_KEY = 24;

/** A long key becomes a number, the same for the same key, so that keys of deep trees do not grow with their depth. */
export function internedKeys(): (key: string) => string {
  const numbers = new Map<string, string>();
  return (key) => {
    if (key.length <= MAX_PLAIN_KEY) return key;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = `#${numbers.size}`;
    numbers.set(key, number);
    return number;
  };
}

/** A condition as the list of those that must all hold. */
export function conjuncts(keying: Keying, condition: SqlNode): readonly Part[] {
  return operandsOf(condition, 'And').map((node) => ({ key: keying.keyOf(keying, node), node }));
}
