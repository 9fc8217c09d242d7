/** Keeps the owner's code out of statements: what a database redefines, read of the engine itself while it is used. */
import { CandorError } from '../../errors.ts';
import {
  type AllowedCode,
  allowListOf,
  findOwnCode,
  type OwnCode,
  redefining,
  withoutAllowed,
} from '../../sql/guard/index.ts';
import type { NamedSchema } from '../../sql/scope/index.ts';
import type { SqlTree } from '../../sql/tree/index.ts';
import type { Database } from '../interface/database.ts';

/** For so long what was read counts as known: a function that is made later is noticed then, without a new onboarding. */
const FRESH_MS = 10_000;

interface KnownCode {
  readonly at: number;
  readonly code: Promise<OwnCode>;
}

/** By engine, since several guards stand before one. */
const KNOWN = new WeakMap<Database, KnownCode>();

/** What is left to refuse of what the engine has. Throws what the engine throws: what cannot be read is not known. */
export async function readOwnCode(database: Database, allowed: AllowedCode | undefined): Promise<OwnCode> {
  const now = performance.now();
  let known = KNOWN.get(database);
  if (known === undefined || now - known.at > FRESH_MS) {
    // Without anybody's signal: others wait for the same answer.
    known = { at: now, code: database.readOwnCode() };
    KNOWN.set(database, known);
  }
  try {
    return withoutAllowed(await known.code, allowed);
  } catch (error) {
    if (KNOWN.get(database) === known) KNOWN.delete(database);
    throw error;
  }
}

export interface RedefinedNames {
  /** `function max, operator ===` */
  readonly names: string;
  /** What allows them in candor.yml. */
  readonly allow: string;
}

/** Names of the engine that the database's owner has defined anew and nobody has allowed; `undefined`: none. */
export async function readRedefined(
  database: Database,
  allowed: AllowedCode,
): Promise<RedefinedNames | undefined> {
  const own = redefining(withoutAllowed(await database.readOwnCode(), allowed), database.dialect);
  if (own.length === 0) return undefined;
  const lists = new Map<string, Set<string>>();
  for (const { kind, name } of own)
    lists.set(allowListOf(kind), (lists.get(allowListOf(kind)) ?? new Set()).add(name));
  const allow = [...lists].map(
    ([list, names]) => `${list}: [${[...names].map((name) => JSON.stringify(name)).join(', ')}]`,
  );
  return {
    names: [...new Set(own.map(({ kind, name }) => `${kind} ${name}`))].join(', '),
    allow: `guard: {allow: {${allow.join(', ')}}}`,
  };
}

/** Throws `database.own-code` where a statement would run code of the database's owner. */
export function refuseOwnCode(tree: SqlTree, own: OwnCode, schema: NamedSchema | undefined): void {
  const use = findOwnCode(tree, own, schema);
  if (use === undefined) return;
  const { kind, name } = use.thing;
  throw new CandorError(
    'database.own-code',
    `The SQL is refused: the ${kind} ${name} is one that this database has defined itself, so it may do anything; the owner of the project can allow it: guard.allow.${allowListOf(kind)}: ["${name}"].`,
    { data: { offending: name, kind } },
  );
}
