import { names, type ReadingRules, refusals } from './reading-rules.ts';

/** Functions that give rows; Snowflake writes them as TABLE(f(…)) and LATERAL f(…). */
const ROWS = 'flatten split_to_table strtok_split_to_table generator';

/** Snowflake: the functions that only compute from their arguments. */
export const SNOWFLAKE_READING: ReadingRules = {
  functions: names(`
    abs sys_connect_by_path acos acosh add_months any_value approx_count_distinct approx_percentile approx_percentile_accumulate
    approx_percentile_combine approx_percentile_estimate approx_top_k approx_top_k_accumulate
    approx_top_k_combine approx_top_k_estimate approximate_jaccard_index approximate_similarity array_agg
    array_append array_cat array_compact array_construct array_construct_compact array_contains array_distinct
    array_except array_flatten array_generate_range array_insert array_intersection array_max array_min
    array_position array_prepend array_remove array_remove_at array_reverse array_size array_slice array_sort
    array_sum array_to_string array_union array_union_agg array_unique_agg arrayagg arrays_overlap
    arrays_to_object arrays_zip as_array as_binary as_boolean as_char as_date as_decimal as_double as_integer
    as_number as_object as_real as_time as_timestamp_ltz as_timestamp_ntz as_timestamp_tz as_varchar ascii
    asin asinh atan atan2 atanh avg base64_decode_binary base64_decode_string base64_encode bit_and
    bit_and_agg bit_andagg bit_length bit_not bit_or bit_or_agg bit_oragg bit_shiftleft bit_shiftright bit_xor
    bit_xor_agg bit_xoragg bitand bitand_agg bitandagg bitmap_and_agg bitmap_bit_position bitmap_bucket_number
    bitmap_construct_agg bitmap_count bitmap_or_agg bitnot bitor bitor_agg bitoragg bitshiftleft bitshiftright
    bitxor bitxor_agg bitxoragg booland booland_agg boolnot boolor boolor_agg boolxor boolxor_agg cast cbrt
    ceil char charindex check_json check_xml chr classifier coalesce collate collation compress concat
    concat_ws conditional_change_event conditional_true_event contains convert_timezone corr cos cosh cot
    count count_if covar_pop covar_samp cume_dist current_database current_date current_schema current_time
    current_timestamp current_version datasketches_hll datasketches_hll_accumulate datasketches_hll_combine
    datasketches_hll_estimate date date_from_parts date_part date_trunc dateadd datediff datefromparts day
    dayname dayofmonth dayofweek dayofweekiso dayofyear decode decompress_binary decompress_string decrypt
    decrypt_raw degrees dense_rank div0 div0null editdistance encrypt encrypt_raw endswith equal_null exists
    exp extract factorial filter first first_value floor get get_ignore_case get_path getbit getdate greatest
    greatest_ignore_nulls grouping grouping_id h3_cell_to_boundary h3_cell_to_children
    h3_cell_to_children_string h3_cell_to_parent h3_cell_to_point h3_compact_cells h3_compact_cells_strings
    h3_coverage h3_coverage_strings h3_get_resolution h3_grid_disk h3_grid_distance h3_grid_path
    h3_int_to_string h3_is_pentagon h3_is_valid_cell h3_latlng_to_cell h3_latlng_to_cell_string
    h3_point_to_cell h3_point_to_cell_string h3_polygon_to_cells h3_polygon_to_cells_strings h3_string_to_int
    h3_try_coverage h3_try_coverage_strings h3_try_grid_distance h3_try_grid_path h3_try_polygon_to_cells
    h3_try_polygon_to_cells_strings h3_uncompact_cells h3_uncompact_cells_strings hash hash_agg haversine
    hex_decode_binary hex_decode_string hex_encode hll hll_accumulate hll_combine hll_estimate hll_export
    hll_import hour iff ifnull ilike initcap insert interpolate_bfill interpolate_ffill interpolate_linear
    is_array is_binary is_boolean is_char is_date is_date_value is_decimal is_double is_integer is_null_value
    is_object is_real is_time is_timestamp_ltz is_timestamp_ntz is_timestamp_tz is_varchar
    jarowinkler_similarity json_extract_path_text kurtosis lag last last_day last_value lead least
    least_ignore_nulls left len length like listagg ln localtime localtimestamp log lower lpad ltrim map_cat
    map_contains_key map_delete map_entries map_insert map_keys map_pick map_size map_values match_number
    match_sequence_number max max_by md5 md5_binary md5_hex md5_number_lower64 md5_number_upper64 median min
    min_by minhash minhash_combine minute mod mode month monthname months_between next next_day normal
    nth_value ntile nullif nullifzero nvl nvl2 object_agg object_construct object_construct_keep_null
    object_delete object_insert object_keys object_pick octet_length parse_ip parse_json parse_url parse_xml
    percent_rank percentile_cont percentile_disc pi position pow power prev previous_day quarter radians
    random randstr rank ratio_to_report reduce regexp_count regexp_extract_all regexp_instr regexp_like
    regexp_replace regexp_substr regexp_substr_all regr_avgx regr_avgy regr_count regr_intercept regr_r2
    regr_slope regr_sxx regr_sxy regr_syy regr_valx regr_valy repeat replace reverse right rlike round row
    row_number rpad rtrim rtrimmed_length search search_ip second seq1 seq2 seq4 seq8 sha1 sha1_binary
    sha1_hex sha2 sha2_binary sha2_hex sign sin sinh skew soundex soundex_p123 space split split_part sqrt
    square st_area st_asbinary st_asewkb st_asewkt st_asgeojson st_astext st_aswkb st_aswkt st_azimuth
    st_buffer st_centroid st_collect st_contains st_convexhull st_coveredby st_covers st_difference
    st_dimension st_disjoint st_distance st_dwithin st_endpoint st_envelope st_geogfromgeohash st_geogfromtext
    st_geogfromwkb st_geogpointfromgeohash st_geographyfromtext st_geographyfromwkb st_geographyfromwkt
    st_geohash st_geom_point st_geometryfromtext st_geometryfromwkb st_geometryfromwkt st_geometryn
    st_geomfromgeohash st_geomfromtext st_geomfromwkb st_geompoint st_geompointfromgeohash
    st_hausdorffdistance st_interpolate st_intersection st_intersection_agg st_intersects st_isvalid st_length
    st_linefromtext st_makegeompoint st_makeline st_makepoint st_makepolygon st_makepolygonoriented st_npoints
    st_numpoints st_perimeter st_point st_pointn st_polygon st_setsrid st_simplify st_srid st_startpoint
    st_symdifference st_transform st_union st_union_agg st_within st_x st_xmax st_xmin st_y st_ymax st_ymin
    startswith stddev stddev_pop stddev_samp strip_null_value strtok strtok_to_array substr substring sum
    sysdate system$typeof systimestamp tan tanh time time_from_parts time_slice timeadd timediff timefromparts
    timestamp timestamp_from_parts timestamp_ltz_from_parts timestamp_ntz_from_parts timestamp_tz_from_parts
    timestampadd timestampdiff timestampfromparts timestampltzfromparts timestampntzfromparts
    timestamptzfromparts to_array to_binary to_boolean to_char to_date to_decfloat to_decimal to_double
    to_geography to_geometry to_json to_number to_numeric to_object to_time to_timestamp to_timestamp_ltz
    to_timestamp_ntz to_timestamp_tz to_varchar to_variant to_xml transform translate trim trunc truncate
    try_base64_decode_binary try_base64_decode_string try_cast try_decrypt try_decrypt_raw
    try_hex_decode_binary try_hex_decode_string try_parse_json try_parse_xml try_to_binary try_to_boolean
    try_to_date try_to_decfloat try_to_decimal try_to_double try_to_geography try_to_geometry try_to_number
    try_to_numeric try_to_time try_to_timestamp try_to_timestamp_ltz try_to_timestamp_ntz try_to_timestamp_tz
    typeof unicode uniform upper uuid_string var_pop var_samp variance variance_pop variance_samp vector_avg
    vector_cosine_similarity vector_inner_product vector_l1_distance vector_l2_distance vector_max vector_min
    vector_normalize vector_sum vector_truncate week weekiso weekofyear width_bucket xmlget year yearofweek
    yearofweekiso zeroifnull zipf string_agg dp_interval_high dp_interval_low is_timestamp
    ${ROWS}
  `),
  tableFunctions: names(ROWS),
  refused: refusals({
    'reads files or the places they lie in': `
      infer_schema directory validate build_scoped_file_url build_stage_file_url get_presigned_url
      get_absolute_path get_relative_path get_stage_location to_file try_to_file fl_get_content_type
      fl_get_etag fl_get_file_type fl_get_last_modified fl_get_relative_path fl_get_scoped_file_url
      fl_get_size fl_get_stage fl_get_stage_file_url fl_is_audio fl_is_compressed fl_is_document fl_is_image
      fl_is_video parse_document external_table_files external_table_file_registration_history
      stage_directory_file_registration_history`,
    'names a table by a text': 'identifier table',
    'shows what another statement gave or said': `
      result_scan last_query_id get_query_operator_stats get_job_history query_history
      query_history_by_session query_history_by_user query_history_by_warehouse copy_history explain_json`,
    'sends data to a language model': `
      ai_agg ai_classify ai_complete ai_count_tokens ai_embed ai_extract ai_filter ai_parse_document ai_redact
      ai_sentiment ai_similarity ai_summarize_agg ai_transcribe ai_translate classify_text complete
      embed_text_768 embed_text_1024 extract_answer finetune search_preview sentiment summarize translate_text
      try_complete agent_run data_agent_run prompt`,
    'only makes the engine wait': 'system$wait system$wait_for_services',
    'changes state': `
      getnextval nextval currval system$cancel_query system$cancel_all_queries system$abort_session
      system$abort_transaction system$set_return_value system$pipe_force_resume
      system$pipe_rebinding_with_notification_channel system$task_dependents_enable
      system$user_task_cancel_ongoing_executions system$send_email system$send_snowflake_notification
      system$log system$log_info system$log_warn system$log_error system$log_debug system$log_fatal
      system$log_trace system$set_span_attributes system$add_event system$authorize_privatelink
      system$revoke_privatelink system$global_account_set_parameter system$link_account_objects_by_name
      system$enable_behavior_change_bundle system$disable_behavior_change_bundle
      system$disable_database_replication system$generate_scim_access_token system$generate_saml_csr
      system$stream_get_table_timestamp system$migrate_saml_idp_registration`,
    'tells about the engine or its settings': `
      all_user_names current_account current_account_name current_available_roles current_client
      current_ip_address current_organization_name current_organization_user current_region current_role
      current_role_type current_schemas current_secondary_roles current_session current_statement
      current_transaction current_user current_user_email current_warehouse last_transaction session_user user
      invoker_role invoker_share is_application_role_in_session is_database_role_in_session
      is_granted_to_invoker_role is_instance_role_in_session is_role_in_session getvariable get_ddl
      get_lineage get_object_references object_dependencies policy_context policy_references tag_references
      tag_references_all_columns tag_references_with_lineage login_history login_history_by_user
      rest_event_history task_history task_dependents pipe_usage_history warehouse_load_history
      warehouse_metering_history automatic_clustering_history database_storage_usage_history
      data_transfer_history alert_history notification_history serverless_task_history
      stage_storage_usage_history validate_pipe_load system$allowlist system$whitelist
      system$clustering_information system$clustering_depth system$current_user_task_name
      system$explain_plan_json system$explain_json_to_text system$get_predecessor_return_value
      system$get_privatelink_config system$get_snowflake_platform_info system$get_tag
      system$last_change_commit_time system$pipe_status system$show_oauth_client_secrets
      system$stream_has_data system$estimate_query_acceleration extract_semantic_categories semantic_view
      cumulative_privacy_losses`,
  }),
  // No table of Snowflake's own has a name by which it could be told; its schemas have.
  refusedColumns: names('nextval currval'),
  systemTable: /^(?!)/,
  systemSchemas: new Set([
    'snowflake',
    'information_schema',
    'account_usage',
    'organization_usage',
    'reader_account_usage',
    'data_sharing_usage',
  ]),
  quotedCalls: 'upper',
  // FROM @stage/file.csv, FROM '@stage/file.csv' and FROM 'snow://…'.
  statementWords: names('table show describe desc'),
  fileTable: /^@|:\/\//,
};
