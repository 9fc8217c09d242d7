/** Nothing reaches an engine that has not been read and found to be one reading statement. Fails closed. */

import { CandorError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { checkDisguisedCalls, NO_SCHEMA } from '../../sql/guard/index.ts';
import { REWRITTEN_LIMITS } from '../../sql/tree/index.ts';
import type { Database } from '../interface/database.ts';
import { decorate } from '../interface/decorate.ts';
import { analyseAside } from './analyse-aside.ts';
import { type AnalysedStatement, analyseStatement, type Door, readStatement } from './analyse-statement.ts';
import { checkPlan, hasCaps } from './check-plan.ts';
import type { GuardOptions } from './create-gate.ts';
import { createGate, refuseUnless } from './create-gate.ts';
import { readOwnCode } from './own-code.ts';
import { inOwnWords, type Restricted, withOwnHeaders } from './own-words.ts';

/** Passes silently or throws `sql.parse-failed` or `database.not-read-only` with the place or the offending part. */
export function guard(sql: string, dialect: DialectName): void {
  refuseUnless(checkDisguisedCalls(readStatement(sql, dialect), NO_SCHEMA));
}

/**
 * The same database, where `query` and `explain` take the one door to the engine: the statement is read and found to
 * be reading and to run no code that the database's owner put behind a name of the engine, every name in it is visible
 * to the caller, the access policy is written into it, the result is checked again, and the engine's plan stays below
 * the caps. Throws `database.policy-invalid` for a policy that does not fit the catalog; the queries throw what `guard`
 * throws, `database.own-code`, `database.not-visible`, `database.not-restrictable`, `database.policy-invalid`,
 * `database.too-expensive`.
 */
export function guarded(database: Database, options: GuardOptions): Database {
  const gate = createGate(options, database.dialect, REWRITTEN_HERE);
  const caps = options.planCaps ?? {};
  const passOver = async (below: Database, sql: string, signal: AbortSignal | undefined): Promise<Passed> => {
    const own = await readOwnCode(below, options.allowedCode);
    return pass(sql, { gate, options, dialect: below.dialect, own, signal });
  };
  return decorate(database, (below) => ({
    // Whose rights hold is decided below the guard, and the list of tables knows no policy.
    withholds: ['as', 'listTables'],
    readSchema: async (signal) => gate.showSchema(await below.readSchema(signal)),
    query: async (sql, limits, signal) => {
      const { text, restricted } = await passOver(below, sql, signal);
      if (restricted === undefined) {
        if (hasCaps(caps)) checkPlan(await below.explain(text, signal), caps, { tellsEstimate: true });
        return below.query(text, limits, signal);
      }
      return inOwnWords(restricted, async () => {
        if (hasCaps(caps)) checkPlan(await below.explain(text, signal), caps, { tellsEstimate: false });
        return withOwnHeaders(await below.query(text, limits, signal), restricted, { below, limits, signal });
      });
    },
    explain: async (sql, signal) => {
      const { text, restricted } = await passOver(below, sql, signal);
      if (restricted === undefined) return below.explain(text, signal);
      await inOwnWords(restricted, () => below.explain(text, signal));
      // The engine's estimates come from all rows.
      return {};
    },
  }));
}

/** `undefined` when the statement is short and what becomes of it is not. */
function analyseHere(sql: string, door: Door): AnalysedStatement | undefined {
  try {
    return analyseStatement(sql, door);
  } catch (error) {
    if (error instanceof CandorError && error.data.limit === 'restricted') return undefined;
    throw error;
  }
}

interface Passed {
  /** What the engine gets. */
  readonly text: string;
  /** Absent where that is what was written. */
  readonly restricted?: Restricted;
}

/** From this length on the analysis of a statement would keep others waiting: it happens in another thread. */
const LONG_STATEMENT = 8_000;
/** What a short statement may become here: one that reads many restricted tables is long once it is rewritten. */
const REWRITTEN_HERE = { ...REWRITTEN_LIMITS, characters: 8 * LONG_STATEMENT };

interface Passing extends Door {
  readonly options: GuardOptions;
  readonly signal: AbortSignal | undefined;
}

async function pass(sql: string, { options, signal, ...door }: Passing): Promise<Passed> {
  const { gate, dialect, own } = door;
  const here = sql.length <= LONG_STATEMENT ? analyseHere(sql, door) : undefined;
  const { text, isRestricted } = here ?? (await analyseAside({ sql, options, dialect, own, signal }));
  if (!isRestricted) return { text };
  return { text, restricted: { sql, text, dialect, isKnown: gate.isKnown, hidesErrors: gate.hidesErrors } };
}
