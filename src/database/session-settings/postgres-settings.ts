import { pinned, required, type SessionSetting, watched } from './session-setting.ts';

/** Set for each transaction, in the message that begins it. */
export const POSTGRES_SETTINGS: readonly SessionSetting[] = [
  required('standard_conforming_strings', 'on', 'off: a backslash in a text becomes an escape'),
  required('client_encoding', "'UTF8'", 'texts come in another encoding'),
  required('backslash_quote', "'safe_encoding'", "whether \\' ends an escape string"),
  pinned('TimeZone', "'UTC'", 'now(), current_date, and how times with a zone are read, cut and printed'),
  pinned('timezone_abbreviations', "'Default'", 'EST or IST in a text is another hour'),
  pinned('DateStyle', "'ISO, MDY'", 'how dates are printed, and which part of 01/02/2024 is the day'),
  pinned(
    'IntervalStyle',
    "'postgres'",
    'how intervals are printed, and what a sign in their text counts for',
  ),
  pinned('extra_float_digits', '1', 'below 1 floating numbers lose digits'),
  pinned('bytea_output', "'hex'", 'how bytes are printed'),
  pinned('xmlbinary', "'base64'", 'how bytes are printed in XML'),
  pinned('xmloption', "'content'", 'document: a text that is a fragment of XML is refused'),
  pinned('lc_numeric', "'C'", 'the signs that to_char and to_number take for D and G'),
  pinned('lc_time', "'C'", 'the names of days and months that to_char writes with TM'),
  pinned(
    'default_text_search_config',
    "'pg_catalog.english'",
    'the words that to_tsvector and to_tsquery find',
  ),
  pinned('transform_null_equals', 'off', 'on: x = NULL means x IS NULL'),
  pinned('array_nulls', 'on', 'off: NULL in the text of an array is the word NULL'),
  pinned('quote_all_identifiers', 'off', 'on: quote_ident and format write quotes around every name'),
  pinned('row_security', 'on', 'off: a table with row security is an error in place of its rows'),
  pinned(
    'gin_fuzzy_search_limit',
    '0',
    'above 0 a search in a GIN index gives about that many rows, drawn at random',
  ),
  pinned('synchronize_seqscans', 'off', 'on: rows without ORDER BY begin where another reader stands'),
  pinned('client_min_messages', "'warning'", 'error: warnings of the engine are not told'),
  pinned('pg_trgm.similarity_threshold', '0.3', 'which texts the operator % finds alike'),
  pinned('pg_trgm.word_similarity_threshold', '0.6', 'which texts the operator <% finds alike'),
  pinned('pg_trgm.strict_word_similarity_threshold', '0.5', 'which texts the operator <<% finds alike'),
  watched('zero_damaged_pages', 'off', 'on: the rows of a damaged page are left out'),
  watched('ignore_checksum_failure', 'off', 'on: a damaged page is read as if it were sound'),
];
