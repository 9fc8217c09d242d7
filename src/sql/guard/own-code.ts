/** What a database runs under a name that people take for the engine's: code that its owner put there. */
import type { DialectName } from '../dialect.ts';
import { READING } from './reading-dialects.ts';

export type OwnKind = 'function' | 'operator' | 'type' | 'cast' | 'collation';

/** One thing that the owner of a database made, as plain data. */
export interface OwnThing {
  readonly kind: OwnKind;
  /** As SQL writes it, in small letters: `unaccent`, `===`, `dom1`, `app.dom1`, `box2 as text`. */
  readonly name: string;
  /**
   * The only statements that it can be part of: those that write one of these types, or read one of these tables, which
   * hold values of such a type. Absent: any statement may reach it.
   */
  readonly onlyWith?: { readonly types: readonly string[]; readonly tables: readonly string[] };
  /**
   * Set for a type whose code also runs where its name is not written: always where one of the tables is read, or only
   * where the statement holds a text, a NULL or a document that may become a value of it.
   */
  readonly whenRead?: 'always' | 'with-values';
  /** A cast that the engine applies only where a statement writes a type. */
  readonly isExplicit?: boolean;
}

export type OwnCode = readonly OwnThing[];

/** Names that a statement may use although the database's owner wrote what stands behind them. */
export interface AllowedCode {
  readonly functions?: readonly string[];
  readonly operators?: readonly string[];
  readonly types?: readonly string[];
  readonly casts?: readonly string[];
  readonly collations?: readonly string[];
}

const LISTS: Readonly<Record<OwnKind, keyof AllowedCode>> = {
  function: 'functions',
  operator: 'operators',
  type: 'types',
  cast: 'casts',
  collation: 'collations',
};

/** The list of `guard.allow` in which a thing is named. */
export function allowListOf(kind: OwnKind): keyof AllowedCode {
  return LISTS[kind];
}

/** What is left to refuse. */
export function withoutAllowed(own: OwnCode, allowed: AllowedCode = {}): OwnCode {
  const names = new Set(
    Object.entries(LISTS).flatMap(([kind, list]) =>
      (allowed[list] ?? []).map((name) => `${kind} ${name.trim().toLowerCase()}`),
    ),
  );
  return names.size === 0 ? own : own.filter(({ kind, name }) => !names.has(`${kind} ${name}`));
}

/** Those that a statement could be refused for: a function that no list has is refused anyhow. */
export function redefining(own: OwnCode, dialect: DialectName): OwnCode {
  const { functions, tableFunctions } = READING[dialect];
  return own.filter(
    ({ kind, name }) => kind !== 'function' || functions.has(name) || tableFunctions.has(name),
  );
}
