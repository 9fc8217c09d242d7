/** Attacks through tables that show rows of others, as rows of data by the kind of the table. */
import { readFileSync } from 'node:fs';
import { createGate } from '../../src/database/guard/create-gate.ts';
import { guard } from '../../src/database/guard/guard.ts';
import type { Database } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { type DialectName, parse } from '../../src/sql/index.ts';

export interface ReadingAttack {
  readonly kind: string;
  readonly sql: string;
}

/** Headings of `reading-tables-*.txt` are kinds, the lines below them attacks. */
export function readReadingAttacks(dialect: DialectName): readonly ReadingAttack[] {
  const file = new URL(`../fixtures/guard/reading-tables-${dialect}.txt`, import.meta.url);
  const attacks: ReadingAttack[] = [];
  let kind = '';
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('## ')) kind = line.slice('## '.length);
    else if (line !== '' && !line.startsWith('#')) attacks.push({ kind, sql: line });
  }
  return attacks;
}

const REFUSALS = /^(?:database\.(?:not-|policy-)|sql\.)/;

/** Undefined where the guard refuses it, else what came of it. */
export async function runReadingAttack(database: Database, sql: string): Promise<string | undefined> {
  try {
    const { rows } = await database.query(sql, { rows: 100, bytes: 100_000, timeoutMs: 10_000 });
    return `gave ${rows.length} rows`;
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    return REFUSALS.test(error.code) ? undefined : `${error.code}: ${error.message}`;
  }
}

const NAMES = ['id', 'tenant', 'name', 'email'];

/** What the adapters of warehouses tell of the tables that the attacks name; customers alone own their rows. */
const GATED: readonly {
  readonly name: string;
  readonly qualifier?: readonly string[];
  readonly ownsRows?: true;
}[] = [
  { name: 'customers', ownsRows: true },
  ...['view', 'kept', 'months', 'files', 'ice', 'monday', 'copied'].map((end) => ({
    name: `customers_${end}`,
  })),
  { name: 'names_view' },
  { name: 'customers_remote', qualifier: ['postgres', 'public'] },
];

/** The same of the guard alone, for engines that no test can reach. */
export function tryReadingAttack(dialect: DialectName, sql: string): string | undefined {
  // As Snowflake spells what is written without quotes.
  const spell = (name: string): string => (dialect === 'snowflake' ? name.toUpperCase() : name);
  const tables = GATED.map(({ name, qualifier = [], ownsRows }) => {
    const id = [...qualifier, name].join('.');
    const columns = NAMES.map((column) => ({ id: `${id}.${column}`, name: spell(column), type: 'VARCHAR' }));
    return {
      id,
      name: spell(name),
      columns,
      ...(qualifier.length > 0 && { qualifier }),
      ...(ownsRows && { ownsRows }),
    };
  });
  const policy = { rowFilters: new Map([['customers', "tenant = 'mine'"]]) };
  try {
    guard(sql, dialect);
    const parsed = parse(sql, dialect);
    if (!parsed.ok) return undefined;
    createGate({ kind: 'caller-queries', catalog: { tables }, policy }, dialect).restrict(parsed.tree);
    return 'passed';
  } catch (error) {
    if (error instanceof CandorError && REFUSALS.test(error.code)) return undefined;
    throw error;
  }
}
