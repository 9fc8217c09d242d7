/** Keeps the owner's code out of statements: what a database redefines, read of the engine itself while it is used. */
import { CandorError } from '../../errors.ts';
import {
  type AllowedCode,
  allowListOf,
  findOwnCode,
  type NamedSchema,
  type OwnCode,
  type SqlTree,
  withoutAllowed,
} from '../../sql/index.ts';
import type { Database } from '../database.ts';

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
