import type { HostileCase } from './hostile-case.ts';

const SHOWS = (setting: string): string => `SELECT current_setting('${setting}')`;

export const POSTGRES_TABLES = `
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE TABLE texts (id int, body text);
  INSERT INTO texts SELECT n, 'alpha beta gamma' FROM generate_series(1, 5000) n;
  CREATE INDEX ON texts USING gin (to_tsvector('english', body));
  CREATE TABLE guarded (id int); INSERT INTO guarded VALUES (1), (2);
  ALTER TABLE guarded ENABLE ROW LEVEL SECURITY; CREATE POLICY first ON guarded USING (id = 1);
  CREATE FUNCTION warn() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'a secret cell'; RETURN 1; END $$;
  ANALYZE;
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_seqscan = off', current_database()); END $$`;

export const POSTGRES_CASES: readonly HostileCase[] = [
  { setting: 'standard_conforming_strings', hostile: 'off', sql: `SELECT 'a\\nb'` },
  { setting: 'client_encoding', hostile: `'LATIN1'`, sql: SHOWS('client_encoding'), isNotFelt: true },
  { setting: 'backslash_quote', hostile: 'off', sql: `SELECT E'it\\'s'` },
  { setting: 'TimeZone', hostile: `'Asia/Tokyo'`, sql: `SELECT '2024-01-01 23:00:00+00'::timestamptz::date` },
  {
    setting: 'timezone_abbreviations',
    hostile: `'India'`,
    sql: `SELECT '2024-01-01 00:00 IST'::timestamptz AT TIME ZONE 'UTC'`,
  },
  {
    setting: 'DateStyle',
    hostile: `'German, DMY'`,
    sql: `SELECT '01/02/2024'::date, '01/02/2024'::date::text`,
  },
  { setting: 'IntervalStyle', hostile: `'iso_8601'`, sql: `SELECT '1 day 02:00'::interval` },
  {
    setting: 'extra_float_digits',
    hostile: '-10',
    sql: `SELECT 0.1::float8 + 0.2::float8, 3.14159265358979::float8`,
  },
  { setting: 'bytea_output', hostile: `'escape'`, sql: `SELECT '\\x4142ff'::bytea::text` },
  { setting: 'xmlbinary', hostile: `'hex'`, sql: `SELECT xmlelement(name a, '\\x4142'::bytea)::text` },
  { setting: 'xmloption', hostile: `'document'`, sql: `SELECT 'a fragment'::xml::text` },
  { setting: 'lc_numeric', hostile: `'C.utf8'`, sql: SHOWS('lc_numeric') },
  { setting: 'lc_time', hostile: `'C.utf8'`, sql: SHOWS('lc_time') },
  {
    setting: 'default_text_search_config',
    hostile: `'pg_catalog.simple'`,
    sql: `SELECT to_tsvector('the running foxes') @@ to_tsquery('run')`,
  },
  { setting: 'transform_null_equals', hostile: 'on', sql: `SELECT COUNT(*) FROM texts WHERE (NULL = NULL)` },
  { setting: 'array_nulls', hostile: 'off', sql: `SELECT COUNT(x) FROM unnest('{a,NULL}'::text[]) x` },
  { setting: 'quote_all_identifiers', hostile: 'on', sql: `SELECT quote_ident('a'), format('%I', 'b')` },
  { setting: 'row_security', hostile: 'off', sql: 'SELECT id FROM guarded' },
  {
    setting: 'gin_fuzzy_search_limit',
    hostile: '3',
    sql: `SELECT COUNT(*) FROM texts WHERE to_tsvector('english', body) @@ to_tsquery('english', 'alpha & gamma')`,
  },
  { setting: 'synchronize_seqscans', hostile: 'on', sql: SHOWS('synchronize_seqscans'), isNotFelt: true },
  { setting: 'client_min_messages', hostile: 'error', sql: SHOWS('client_min_messages') },
  { setting: 'pg_trgm.similarity_threshold', hostile: '0.9', sql: `SELECT 'word' % 'words'` },
  { setting: 'pg_trgm.word_similarity_threshold', hostile: '0.9', sql: `SELECT 'word' <% 'two words'` },
  {
    setting: 'pg_trgm.strict_word_similarity_threshold',
    hostile: '0.95',
    sql: `SELECT 'word' <<% 'two words'`,
  },
];
