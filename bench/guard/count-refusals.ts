/** Honest queries that the guard refuses: gold queries of the public sets, each with the schema it was written for. */
import { guard } from '../../src/database/guard/guard.ts';
import { CandorError } from '../../src/errors.ts';
import { significantTokens } from '../../src/sql/dialects/index.ts';
import { checkVisible } from '../../src/sql/guard/index.ts';
import { type ParseResult, parse } from '../../src/sql/index.ts';
import type { NamedSchema } from '../../src/sql/scope/index.ts';
import { sizeOfTree } from '../../src/sql/tree/statement-limits.ts';
import type { CoreSchema } from '../sql-core/query-set.ts';
import { readQueries, type SetName } from '../sql-core/read-queries.ts';

const GOLD_SETS: readonly SetName[] = [
  ...([
    'spider-dev',
    'spider-train',
    'bird-dev',
    'bird-train',
    'mini-sqlite',
    'mini-mysql',
    'mini-postgres',
  ] as const),
  ...([
    'spider2-snow',
    'defog-sqlite',
    'defog-mysql',
    'defog-postgres',
    'defog-bigquery',
    'defog-snowflake',
  ] as const),
];
const SEED = 1;

export interface RefusedQuery {
  readonly set: SetName;
  readonly id: string;
  readonly sql: string;
  readonly why: string;
}

export interface RefusalCount {
  readonly queries: number;
  /** The largest of each limited part among them. */
  readonly largest: Readonly<Record<string, number>>;
  /** As no reading statement: what the guard thinks of the text alone. */
  readonly unsafe: readonly RefusedQuery[];
  /** As writing a name in another way than the schema does, or so that it may mean two things. */
  readonly hidden: readonly RefusedQuery[];
  /** As naming what the schema that comes with the set does not have; those of BIRD train are not complete. */
  readonly unknown: readonly RefusedQuery[];
}

export async function countRefusals(dataDirectory: string, limit: number): Promise<RefusalCount> {
  const unsafe: RefusedQuery[] = [];
  const hidden: RefusedQuery[] = [];
  const unknown: RefusedQuery[] = [];
  const largest: Record<string, number> = {};
  let count = 0;
  for (const set of GOLD_SETS) {
    const { queries, schemas } = await readQueries(set, { dataDirectory, limit, seed: SEED });
    const byId = new Map(schemas.map((schema) => [schema.databaseId, toNamed(schema)]));
    for (const { id, sql, dialect, databaseId } of queries) {
      count += 1;
      const refusal = refusalOf(() => guard(sql, dialect));
      if (refusal !== undefined) {
        unsafe.push({ set, id, sql, why: refusal });
        continue;
      }
      const parsed = parse(sql, dialect);
      noteSize(largest, sql, parsed);
      const schema = byId.get(databaseId);
      const name = parsed.ok && schema && checkVisible(parsed.tree, schema, { allowsWildcards: true });
      if (!name) continue;
      const isThere = !name.reason.startsWith('there is no such');
      (isThere ? hidden : unknown).push({ set, id, sql, why: `${name.name}: ${name.reason}` });
    }
  }
  return { queries: count, largest, unsafe, hidden, unknown };
}

/** The first line of why a call was refused; what is no error of Candor is thrown on. */
/** What `src/sql/tree/statement-limits.ts` limits. */
function noteSize(largest: Record<string, number>, sql: string, parsed: ParseResult): void {
  const tree = parsed.ok ? parsed.tree : undefined;
  const sizes = {
    characters: sql.length,
    ...(tree && { tokens: significantTokens(tree.tokens).length, ...sizeOfTree(tree.nodes) }),
  };
  for (const [limit, size] of Object.entries(sizes)) largest[limit] = Math.max(largest[limit] ?? 0, size);
}

export function refusalOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    return error.message.split('\n')[0];
  }
}

function toNamed({ databaseId, tables }: CoreSchema): NamedSchema {
  // Where tables are not named with their schema, the database is the schema, as MySQL and BigQuery have it.
  const own = databaseId.slice(databaseId.indexOf(':') + 1);
  return {
    tables: tables.map(({ name, qualifier, columns }) => {
      const id = [...(qualifier ?? []), name].join('.').toLowerCase();
      return {
        id,
        name,
        ...(qualifier === undefined
          ? { schema: own }
          : { qualifier, schema: qualifier.at(-1), catalog: qualifier.at(-2) }),
        columns: columns.map((column) => ({ ...column, id: `${id}.${column.name.toLowerCase()}` })),
      };
    }),
  };
}
