import { names, type ReadingRules, refusals } from './reading-rules.ts';

/** SQLite: what the core and its usual extensions compute without touching anything else. */
export const SQLITE_READING: ReadingRules = {
  functions: names(`
    abs char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood
    likely lower ltrim max min nullif octet_length printf quote random replace round rtrim sign soundex
    substr substring trim typeof unhex unicode unistr unlikely upper total sqlite_version
    date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp
    acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi
    pow power radians sin sinh sqrt tan tanh trunc
    avg count group_concat string_agg sum median percentile percentile_cont percentile_disc
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
    json json_array json_array_length json_extract json_group_array json_group_object json_insert json_object
    json_patch json_pretty json_quote json_remove json_replace json_set json_type json_valid
    json_error_position jsonb jsonb_array jsonb_extract jsonb_object jsonb_group_array jsonb_group_object
    jsonb_insert jsonb_patch jsonb_remove jsonb_replace jsonb_set
    regexp bm25 highlight snippet match
    matchinfo offsets fts5_get_locale fts5_locale fts5_insttoken subtype unistr_quote json_array_insert
    jsonb_array_insert geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point
    geopoly_group_bbox geopoly_json geopoly_overlap geopoly_regular geopoly_svg geopoly_within geopoly_xform
    decimal decimal_add decimal_cmp decimal_exp decimal_mul decimal_pow2 decimal_sub decimal_sum ieee754
    ieee754_exponent ieee754_from_blob ieee754_from_int ieee754_inc ieee754_mantissa ieee754_to_blob
    ieee754_to_int base85 is_base85 editdist1 editdist3 regexpi rot13
    spellfix1_editdist spellfix1_phonehash spellfix1_scriptcode spellfix1_translit tointeger toreal
    uuid_blob uuid_str
  `),
  tableFunctions: names('json_each json_tree jsonb_each jsonb_tree generate_series'),
  refused: refusals({
    'loads code into the engine': 'load_extension fts3_tokenizer',
    'reads or writes files':
      'readfile writefile edit fileio_read fileio_write lsmode fsdir zipfile sqlar_compress',
    'makes values of any size': 'zeroblob randomblob',
    'tells about the engine, not about the data':
      'sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id sqlite_log changes total_changes last_insert_rowid',
    'runs SQL out of a text': 'eval',
  }),
  calledOnlyWith: {
    zeroblob: { arguments: 1, most: 1_000 },
    randomblob: { arguments: 1, most: 1_000 },
  },
  systemTable: /^(?:sqlite_|pragma_|dbstat$|bytecode$|tables_used$|fsdir$|csv$|completion$)/,
  systemSchemas: new Set(),
  statementWords: new Set(),
  fileTable: undefined,
  textNamesTable: true,
  inNameIsTable: true,
  // More digits are left out, a longer text is NULL.
  widestFormat: { functions: names('printf format'), characters: 100_000_000 },
};
