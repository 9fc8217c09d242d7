/** What the parts of the query writer share. */
import type { Random } from '../../../src/demo/motors/random.ts';
import type { DialectName } from '../../../src/sql/dialects/dialect.ts';
import type { ColumnKind, TenantTable } from '../two-tenants.ts';

/** What a dialect has beyond what all four share. */
export interface Traits {
  readonly dialect: Extract<DialectName, 'sqlite' | 'duckdb' | 'postgres' | 'mysql'>;
  readonly quote: '"' | '`';
  readonly hasLateral: boolean;
  readonly hasFullJoin: boolean;
  /** Aggregates with FILTER (WHERE …). */
  readonly hasFilter: boolean;
  /** INTERSECT ALL and EXCEPT ALL are left out everywhere; MySQL has no bag semantics in old versions. */
  readonly concat: (left: string, right: string) => string;
  /** All texts of a group in one, in an order of its own. */
  readonly collect: (text: string) => string;
  /** `SELECT * EXCLUDE`, `FROM t`, QUALIFY, GROUP BY ALL. */
  readonly isDuckdb: boolean;
  /** The name of a source stands for its whole row. */
  readonly hasRowValues: boolean;
  /** `x IN t` */
  readonly hasTableIn: boolean;
  /** Tables may be written in letters of another case. */
  readonly ignoresCase: boolean;
  /** The schema that may stand before a table. */
  readonly schema: string | undefined;
}

const bars = (left: string, right: string): string => `${left} || ${right}`;

export const TRAITS: Readonly<Record<Traits['dialect'], Traits>> = {
  sqlite: {
    dialect: 'sqlite',
    quote: '"',
    hasLateral: false,
    hasFullJoin: true,
    hasFilter: true,
    concat: bars,
    collect: (text) => `group_concat(${text}, ',' ORDER BY ${text})`,
    isDuckdb: false,
    hasRowValues: false,
    hasTableIn: true,
    ignoresCase: true,
    schema: 'main',
  },
  duckdb: {
    dialect: 'duckdb',
    quote: '"',
    hasLateral: true,
    hasFullJoin: true,
    hasFilter: true,
    concat: bars,
    collect: (text) => `string_agg(${text}, ',' ORDER BY ${text})`,
    isDuckdb: true,
    hasRowValues: true,
    hasTableIn: false,
    ignoresCase: true,
    schema: 'main',
  },
  postgres: {
    dialect: 'postgres',
    quote: '"',
    hasLateral: true,
    hasFullJoin: true,
    hasFilter: true,
    concat: bars,
    collect: (text) => `string_agg(${text}, ',' ORDER BY ${text})`,
    isDuckdb: false,
    hasRowValues: true,
    hasTableIn: false,
    ignoresCase: false,
    schema: 'public',
  },
  mysql: {
    dialect: 'mysql',
    quote: '`',
    hasLateral: false,
    hasFullJoin: false,
    hasFilter: false,
    concat: (left, right) => `CONCAT(${left}, ${right})`,
    collect: (text) => `GROUP_CONCAT(${text} ORDER BY ${text})`,
    isDuckdb: false,
    hasRowValues: false,
    hasTableIn: false,
    ignoresCase: false,
    schema: undefined,
  },
};

export interface WrittenColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Something FROM may name: a table, or a CTE in scope. */
export interface Relation {
  readonly name: string;
  readonly columns: readonly WrittenColumn[];
  readonly isTable: boolean;
}

/** A relation in FROM under the name columns call it. */
export interface Source {
  readonly called: string;
  readonly columns: readonly WrittenColumn[];
}

export interface Writing {
  readonly random: Random;
  readonly traits: Traits;
  readonly tables: readonly TenantTable[];
  /** How many queries may still stand inside this one. */
  readonly depth: number;
  readonly ctes: readonly Relation[];
  /** Sources of the queries around, for correlated names. */
  readonly outer: readonly Source[];
  /** Numbers for names that are new. */
  readonly next: () => number;
}

export interface WrittenQuery {
  readonly sql: string;
  readonly columns: readonly WrittenColumn[];
}

export function quoteIn({ traits }: Writing, name: string): string {
  return `${traits.quote}${name}${traits.quote}`;
}

/** A name as a person may write it: plain, quoted, or in other letters where that means the same. */
export function writeName(writing: Writing, name: string, isTable: boolean): string {
  const { random, traits } = writing;
  if (!/^[a-z_][a-z0-9_]*$/.test(name) || random.chance(0.15)) return quoteIn(writing, name);
  const mayShout = isTable ? traits.ignoresCase || traits.dialect === 'postgres' : true;
  return mayShout && random.chance(0.1) ? name.toUpperCase() : name;
}
