/** Words that must be quoted to be names, beyond those of every dialect; from each engine's own manual. */
import type { DialectName } from './dialect.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const EVERYWHERE = words(`
add all alter and as asc between by case check collate column constraint create cross current_date current_time
current_timestamp default delete desc distinct drop else end escape except exists for foreign from full group having in
index inner insert intersect into is join key left like limit natural not null of offset on or order outer over partition
primary references right row rows select set table then to transaction trigger union unique update using values view when
where window with qualify sample lateral any some both user end analyse analyze array do grant only pivot unpivot`);

/** SQLite. */
const SQLITE = words('cast deferrable false isnull notnull recursive returning true');

/** DuckDB. */
const DUCKDB = words(`
asymmetric at authorization binary cast concurrently deferrable describe false fetch freeze ilike initially isnull leading
notnull overlaps placing recursive returning show similar symmetric tablesample trailing true variadic verbose`);

/** PostgreSQL, "reserved" and "reserved (can be function or type)". */
const POSTGRES = words(`
asymmetric authorization binary cast concurrently current_catalog current_role current_schema current_user deferrable
false fetch freeze ilike initially isnull leading localtime localtimestamp notnull overlaps placing returning
session_user similar symmetric tablesample trailing true variadic verbose`);

/** MySQL 8.0 and MariaDB 10.11. */
const MYSQL = words(`
accessible asensitive before bigint binary blob call cascade change char character condition continue convert cube
cume_dist current_role current_user cursor database databases day_hour day_microsecond day_minute day_second dec decimal
declare delayed dense_rank describe deterministic distinctrow div double dual each elseif empty enclosed escaped exit
explain false fetch first_value float float4 float8 force fulltext function generated get grouping groups high_priority
hour_microsecond hour_minute hour_second if ignore infile inout insensitive int int1 int2 int3 int4 int8 integer interval
io_after_gtids io_before_gtids iterate json_table keys kill lag last_value lead leading leave linear lines load localtime
localtimestamp lock long longblob longtext loop low_priority master_bind match maxvalue mediumblob mediumint mediumtext
middleint minute_microsecond minute_second mod modifies no_write_to_binlog nth_value ntile numeric optimize
optimizer_costs option optionally out outfile page_checksum percent_rank portion precision procedure purge range rank
read reads read_write real recursive ref_system_id regexp release rename repeat replace require resignal restrict return
returning revoke rlike rollup row_number schema schemas second_microsecond sensitive separator show signal smallint spatial
specific sql sqlexception sqlstate sqlwarning sql_big_result sql_calc_found_rows sql_small_result ssl starting
stats_auto_recalc stats_persistent stats_sample_pages stored straight_join system terminated tinyblob tinyint tinytext
trailing true undo unlock unsigned usage use utc_date utc_time utc_timestamp varbinary varchar varcharacter varying
virtual while write xor year_month zerofill`);

/** Trino. */
const TRINO = words(`
alter cast cube current_catalog current_path current_role current_schema current_user deallocate describe execute extract
false grouping insert json_array json_exists json_object json_query json_table json_value listagg localtime
localtimestamp normalize prepare recursive rollup skip trim true uescape unnest`);

/** Snowflake. */
const SNOWFLAKE = words(`
account cast connect connection current current_user database false following gscluster ilike increment issue
localtime localtimestamp minus organization regexp revoke rlike schema start tablesample true try_cast whenever`);

/** BigQuery, GoogleSQL. */
const BIGQUERY = words(`
assert_rows_modified at cast contains cube define enum exclude extract false fetch following groups grouping hash if
ignore interval lookup merge new no nulls preceding proto range recursive respect rollup struct tablesample treat true
unbounded unnest within`);

export const RESERVED_WORDS: Readonly<Record<DialectName, ReadonlySet<string>>> = {
  sqlite: new Set([...EVERYWHERE, ...SQLITE]),
  duckdb: new Set([...EVERYWHERE, ...DUCKDB]),
  postgres: new Set([...EVERYWHERE, ...POSTGRES]),
  mysql: new Set([...EVERYWHERE, ...MYSQL]),
  trino: new Set([...EVERYWHERE, ...TRINO]),
  snowflake: new Set([...EVERYWHERE, ...SNOWFLAKE]),
  bigquery: new Set([...EVERYWHERE, ...BIGQUERY]),
};
