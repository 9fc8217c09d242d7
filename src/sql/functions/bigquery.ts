import { names, type ReadingRules, refusals } from './reading-rules.ts';

/** A name with a dot is of a group that BigQuery itself has; other dotted names are functions of users. */
const COMPUTING = names(`
  abs acos acosh aead.decrypt_bytes aead.decrypt_string aead.encrypt any_value approx_count_distinct
  approx_quantiles approx_top_count approx_top_sum array array_agg array_concat array_concat_agg array_filter
  array_find array_find_all array_first array_includes array_includes_all array_includes_any array_is_distinct
  array_last array_length array_max array_min array_offset array_reverse array_slice array_sum array_to_string
  array_transform array_zip ascii asin asinh atan atan2 atanh avg bag_of_words bit_and bit_count bit_or
  bit_xor bool bool_array byte_length cast cbrt ceil ceiling char_length character_length chr coalesce
  code_points_to_bytes code_points_to_string collate concat contains_substr corr cos cosh cosine_distance cot
  coth count countif covar_pop covar_samp csc csch cume_dist current_date current_datetime current_time
  current_timestamp date date_add date_bucket date_diff date_from_unix_date date_sub date_trunc datetime
  datetime_add datetime_bucket datetime_diff datetime_sub datetime_trunc dense_rank
  deterministic_decrypt_bytes deterministic_decrypt_string deterministic_encrypt div edit_distance ends_with
  euclidean_distance exists exp extract farm_fingerprint first_value flatten float32 float32_array float64
  float64_array floor format format_date format_datetime format_time format_timestamp from_base32 from_base64
  from_hex generate_array generate_date_array generate_range_array generate_timestamp_array generate_uuid
  greatest grouping hll_count.extract hll_count.init hll_count.merge hll_count.merge_partial ieee_divide if
  ifnull initcap instr int32 int32_array int64 int64_array interval is_first is_inf is_last is_nan json_array
  json_array_append json_array_insert json_contains json_extract json_extract_array json_extract_scalar
  json_extract_string_array json_flatten json_keys json_object json_query json_query_array json_remove
  json_set json_strip_nulls json_subscript json_type json_value json_value_array justify_days justify_hours
  justify_interval kll_quantiles.extract_float64 kll_quantiles.extract_int64
  kll_quantiles.extract_point_float64 kll_quantiles.extract_point_int64 kll_quantiles.init_float64
  kll_quantiles.init_int64 kll_quantiles.merge_float64 kll_quantiles.merge_int64 kll_quantiles.merge_partial
  kll_quantiles.merge_point_float64 kll_quantiles.merge_point_int64 lag last_day last_value lax_bool
  lax_bool_array lax_double lax_double_array lax_float64 lax_float64_array lax_int64 lax_int64_array
  lax_string lax_string_array lead least left length ln log log10 logical_and logical_or lower lpad ltrim
  make_interval max max_by md5 min min_by mod net.host net.ip_from_string net.ip_in_net net.ip_net_mask
  net.ip_to_string net.ip_trunc net.ipv4_from_int64 net.ipv4_to_int64 net.make_net net.public_suffix
  net.reg_domain net.safe_ip_from_string normalize normalize_and_casefold nth_value ntile nullif nullifzero
  nvl octet_length offset ordinal parse_bignumeric parse_date parse_datetime parse_json parse_numeric
  parse_time parse_timestamp percent_rank percentile_cont percentile_disc pi pow power rand range range_bucket
  range_contains range_end range_intersect range_is_end_unbounded range_is_start_unbounded range_overlaps
  range_start rank regexp_contains regexp_extract regexp_extract_all regexp_instr regexp_replace regexp_substr
  repeat replace reverse right round row_number rpad rtrim s2_cellidfrompoint s2_coveringcellids safe_add
  safe_cast safe_convert_bytes_to_string safe_divide safe_multiply safe_negate safe_offset safe_ordinal
  safe_subtract search sec sech sha1 sha256 sha512 sign sin sinh soundex split sqrt st_angle st_area
  st_asbinary st_asgeojson st_astext st_azimuth st_boundary st_boundingbox st_buffer st_bufferwithtolerance
  st_centroid st_centroid_agg st_closestpoint st_clusterdbscan st_contains st_convexhull st_coveredby
  st_covers st_difference st_dimension st_disjoint st_distance st_dump st_dumppoints st_dwithin st_endpoint
  st_equals st_extent st_exteriorring st_geogfrom st_geogfromgeojson st_geogfromtext st_geogfromwkb
  st_geogpoint st_geogpointfromgeohash st_geohash st_geometrytype st_hausdorffdistance st_hausdorffdwithin
  st_interiorrings st_intersection st_intersects st_intersectsbox st_isclosed st_iscollection st_isempty
  st_isring st_length st_lineinterpolatepoint st_linelocatepoint st_linesubstring st_makeline st_makepolygon
  st_makepolygonoriented st_maxdistance st_npoints st_numgeometries st_numpoints st_perimeter st_pointn
  st_simplify st_snaptogrid st_startpoint st_touches st_union st_union_agg st_within st_x st_y starts_with
  stddev stddev_pop stddev_samp string string_agg string_array strpos struct substr substring sum tan tanh
  text_analyze tf_idf time time_add time_diff time_sub time_trunc timestamp timestamp_add timestamp_bucket
  timestamp_diff timestamp_from_unix_micros timestamp_from_unix_millis timestamp_from_unix_seconds
  timestamp_micros timestamp_millis timestamp_seconds timestamp_sub timestamp_trunc to_base32 to_base64
  to_code_points to_hex to_json to_json_string translate trim trunc typeof unicode unix_date unix_micros
  unix_millis unix_seconds unnest upper var_pop var_samp variance week zeroifnull
`);

/** BigQuery: the functions that only compute from their arguments, each also with the prefix `SAFE.`. */
export const BIGQUERY_READING: ReadingRules = {
  functions: new Set([...COMPUTING].flatMap((name) => [name, `safe.${name}`])),
  tableFunctions: names('unnest'),
  refused: refusals({
    'reaches another database, files or a service': `
      external_query external_object_transform obj.fetch_metadata obj.get_access_url obj.get_read_url
      obj.make_ref st_regionstats`,
    'runs a model': `
      ml.predict ml.forecast ml.evaluate ml.explain_predict ml.explain_forecast ml.detect_anomalies
      ml.generate_text ml.generate_embedding ml.generate_text_embedding ml.generate_table ml.translate
      ml.understand_text ml.annotate_image ml.process_document ml.transcribe ml.recommend ml.transform
      ml.weights ml.feature_importance ml.feature_info ml.training_info ml.trial_info ml.confusion_matrix
      ml.roc_curve ml.centroids ml.features_at_time ml.entity_features_at_time ml.get_insights ml.distance
      ai.generate ai.generate_bool ai.generate_double ai.generate_int ai.generate_table ai.generate_text
      ai.generate_embedding ai.if ai.score ai.classify ai.forecast ai.evaluate ai.detect_anomalies ai.embed
      ai.similarity ai.search`,
    'takes a whole table as its argument': `
      vector_search appends changes gap_fill range_sessionize reconciliation_join`,
    'works with keys of the key service': `
      keys.new_keyset keys.add_key_from_raw_bytes keys.rotate_keyset keys.rotate_wrapped_keyset
      keys.new_wrapped_keyset keys.rewrap_keyset keys.keyset_chain keys.keyset_from_json keys.keyset_to_json
      keys.keyset_length`,
    'tells about the engine or its settings': 'session_user current_user current_project',
    'only makes the engine wait or fail': 'error sleep',
    'changes state': `
      bq.jobs.cancel bq.abort_session bq.refresh_materialized_view bq.refresh_external_metadata_cache
      bq.cancel_index_alteration nextval`,
  }),
  // `dataset.INFORMATION_SCHEMA.TABLES` within one pair of quotes, and the old lists of tables of a dataset.
  systemTable: /(?:^|\.)(?:information_schema\.|__[a-z_]+__$)/,
  systemSchemas: new Set(['information_schema']),
  statementWords: names('table'),
  fileTable: undefined,
};
