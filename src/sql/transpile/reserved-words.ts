/** Words that are names in most dialects and must be quoted in one, beyond those the printer quotes anyway. */
import type { DialectName } from '../dialect.ts';
import { DIALECTS } from '../dialects.ts';
import { GRAMMARS } from '../parser/grammars.ts';

const MORE: Readonly<Record<DialectName, string>> = {
  sqlite: '',
  duckdb: `analyse analyze asymmetric symmetric both collate column constraint deferrable describe desc do
    initially lambda leading only pivot_longer pivot_wider placing show some summarize trailing variadic
    asof positional semi anti glob isnull notnull overlaps similar tablesample authorization concurrently
    freeze generated verbose collation ilike cast coalesce exists extract grouping interval map nullif
    overlay position row struct substring treat trim try_cast values unpack`,
  postgres: `placing symmetric asymmetric both leading trailing concurrently freeze ilike isnull notnull overlaps
    similar verbose tablesample variadic cast coalesce exists extract greatest least grouping interval
    nullif overlay position row substring treat trim values localtime session_user current_user
    authorization binary returning`,
  mysql: `rank dense_rank row_number groups system window lead lag first_value last_value ntile cume_dist
    percent_rank nth_value recursive cube grouping function lateral key keys index interval condition call
    database databases div double float integer int long read release rename repeat replace require schema
    separator show signal sql usage use varying write rows range option character char change mod desc
    describe explain`,
  trino: `current_catalog current_path current_schema deallocate extract localtime normalize skip uescape prepare
    describe`,
  snowflake: `account connection database gscluster ilike increment issue minus organization regexp revoke rlike row
    rows schema start sample trigger try_cast whenever view`,
  bigquery: `hash groups rollup current rows range new no of proto ignore respect enum lookup merge treat window
    within contains define escape exclude following preceding unbounded tablesample struct`,
};

const RESERVED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(MORE).map(([dialect, words]) => [dialect, new Set(words.split(/\s+/))]),
);

/** Whether the dialect takes the word for something else than a name. */
export function isReserved(name: string, dialect: DialectName): boolean {
  const word = name.toLowerCase();
  return (
    DIALECTS[dialect].reserved.has(word) ||
    GRAMMARS[dialect].reserved.has(word.toUpperCase()) ||
    RESERVED.get(dialect)?.has(word) === true
  );
}
