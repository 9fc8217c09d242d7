/** The columns that functions in FROM show, per dialect; a function not listed has columns nobody knows. */
import { createOutput } from './columns.ts';
import type { RuleDialect } from './name-rules.ts';
import type { Family, Output } from './scope.ts';

/** `name:family`; the name `@` is that of the function or its alias. */
const JSON_ROWS = 'key value type:text atom id:numeric parent:numeric fullkey:text path:text';
const FLATTEN = 'seq:numeric key:text path:text index:numeric value this';

const TEXTS: Readonly<Record<RuleDialect, Readonly<Record<string, string>>>> = {
  sqlite: {
    json_each: `${JSON_ROWS} json root`,
    json_tree: `${JSON_ROWS} json root`,
    generate_series: 'value:numeric start:numeric stop:numeric step:numeric',
    pragma_table_info: 'cid:numeric name:text type:text notnull:numeric dflt_value pk:numeric',
  },
  duckdb: {
    range: '@',
    generate_series: '@',
    json_each: `${JSON_ROWS} rowid:numeric`,
    json_tree: `${JSON_ROWS} rowid:numeric`,
    glob: 'file:text',
    repeat_row: '@',
    generate_subscripts: '@:numeric',
    regexp_split_to_table: '@:text',
  },
  postgres: {
    generate_series: '@',
    generate_subscripts: '@:numeric',
    json_each: 'key:text value',
    jsonb_each: 'key:text value',
    json_each_text: 'key:text value:text',
    jsonb_each_text: 'key:text value:text',
    json_array_elements: 'value',
    jsonb_array_elements: 'value',
    json_array_elements_text: 'value:text',
    jsonb_array_elements_text: 'value:text',
    json_object_keys: '@:text',
    jsonb_object_keys: '@:text',
    jsonb_path_query: '@',
    regexp_matches: '@',
    regexp_split_to_table: '@:text',
    string_to_table: '@:text',
    each: 'key:text value:text',
    skeys: '@:text',
    svals: '@:text',
    ts_parse: 'tokid:numeric token:text',
    st_dump: 'path geom',
    st_dumppoints: 'path geom',
    st_dumprings: 'path geom',
    st_hexagongrid: 'geom i:numeric j:numeric',
    st_squaregrid: 'geom i:numeric j:numeric',
  },
  mysql: {},
  trino: { sequence: 'sequential_number:numeric' },
  snowflake: {
    flatten: FLATTEN,
    split_to_table: 'seq:numeric index:numeric value:text',
    strtok_split_to_table: 'seq:numeric index:numeric value:text',
    generator: '',
  },
  bigquery: {},
};

interface FunctionColumn {
  /** `undefined`: named like the function or its alias. */
  readonly name: string | undefined;
  readonly family: Family;
}

const TABLE_FUNCTIONS = new Map(
  Object.entries(TEXTS).map(([dialect, functions]) => [
    dialect,
    new Map(Object.entries(functions).map(([name, text]) => [name, readColumns(text)])),
  ]),
);

function readColumns(text: string): readonly FunctionColumn[] {
  return text
    .split(' ')
    .filter((column) => column !== '')
    .map((column) => {
      const [name, family] = column.split(':');
      return { name: name === '@' ? undefined : name, family: (family ?? 'unknown') as Family };
    });
}

/** The columns of a function in FROM, `undefined` when unknown; `ownName` names a column that has no name of its own. */
export function tableFunctionColumns(
  name: string,
  dialect: RuleDialect,
  ownName: string,
): readonly Output[] | undefined {
  const columns = TABLE_FUNCTIONS.get(dialect)?.get(name.toLowerCase());
  return columns?.map((column) => createOutput(column.name ?? ownName, column.family));
}
