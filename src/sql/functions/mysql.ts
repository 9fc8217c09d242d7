import { names, type ReadingRules, refusals } from './reading-rules.ts';

/** MySQL 8 and 9, MariaDB 10 and 11: the functions that only compute from their arguments. */
export const MYSQL_READING: ReadingRules = {
  functions: names(`
    abs acos add_months adddate addtime aes_decrypt aes_encrypt any_value area asbinary ascii asin astext
    aswkb aswkt atan atan2 avg bin bin_to_uuid binary bit_and bit_count bit_length bit_or bit_xor boundary
    buffer cast ceil ceiling centroid char char_length character_length charset chr coalesce coercibility
    collation column_check column_create column_exists column_get column_json column_list compress concat
    concat_ws contains conv convert convert_tz convexhull cos cot count crc32 crc32c crosses cume_dist curdate
    current_date current_time current_timestamp curtime database date date_add date_format date_sub datediff
    day dayname dayofmonth dayofweek dayofyear decode decode_oracle degrees dense_rank dimension disjoint
    distance elt encode endpoint envelope equals exists exp export_set exteriorring extract extractvalue field
    find_in_set first_value floor format format_bytes format_pico_time from_base64 from_days from_unixtime
    from_vector geomcollection geometrycollection geometryfromtext geometryn geometrytype geomfromtext
    geomfromwkb get_format glength greatest group_concat grouping hex hour if ifnull inet6_aton inet6_ntoa
    inet_aton inet_ntoa insert instr interiorringn intersects interval is_ipv4 is_ipv4_compat is_ipv4_mapped
    is_ipv6 is_uuid isclosed isempty isnull isring issimple json_array json_array_append json_array_insert
    json_array_intersect json_arrayagg json_compact json_contains json_contains_path json_depth json_detailed
    json_equals json_exists json_extract json_insert json_key_value json_keys json_length json_loose
    json_merge json_merge_patch json_merge_preserve json_normalize json_object json_object_filter_keys
    json_object_to_array json_objectagg json_overlaps json_pretty json_query json_quote json_remove
    json_replace json_schema_valid json_schema_validation_report json_search json_set json_storage_free
    json_storage_size json_type json_unquote json_valid json_value lag last_day last_value lcase
    lead least left length lengthb linefromtext linestring ln localtime localtimestamp locate log log10 log2
    lower lpad ltrim make_set makedate maketime match max mbrcontains mbrcoveredby mbrcovers mbrdisjoint
    mbrequal mbrequals mbrintersects mbroverlaps mbrtouches mbrwithin md5 median microsecond mid min minute
    mod month monthname months_between multilinestring multipoint multipolygon natural_sort_key now nth_value
    ntile nullif numgeometries numinteriorrings numpoints nvl nvl2 oct octet_length ord overlaps password
    percent_rank percentile_cont percentile_disc period_add period_diff pi point pointfromtext pointn
    pointonsurface polyfromtext polygon polygonfromtext position pow power quarter quote radians rand
    random_bytes rank regexp_instr regexp_like regexp_replace regexp_substr repeat replace reverse right round
    row row_number rownum rpad rtrim schema sec_to_time second sformat sha sha1 sha2 sign sin soundex space
    sqrt srid st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_boundary st_buffer
    st_buffer_strategy st_centroid st_collect st_contains st_convexhull st_crosses st_difference st_dimension
    st_disjoint st_distance st_distance_sphere st_endpoint st_envelope st_equals st_exteriorring
    st_frechetdistance st_geohash st_geomcollfromtext st_geomcollfromtxt st_geomcollfromwkb
    st_geometrycollectionfromtext st_geometrycollectionfromwkb st_geometryfromtext st_geometryfromwkb
    st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb st_hausdorffdistance
    st_interiorringn st_intersection st_intersects st_isclosed st_isempty st_isring st_issimple st_isvalid
    st_latfromgeohash st_latitude st_length st_linefromtext st_linefromwkb st_lineinterpolatepoint
    st_lineinterpolatepoints st_linestringfromtext st_linestringfromwkb st_longfromgeohash st_longitude
    st_makeenvelope st_mlinefromtext st_mlinefromwkb st_mpointfromtext st_mpointfromwkb st_mpolyfromtext
    st_mpolyfromwkb st_multilinestringfromtext st_multilinestringfromwkb st_multipointfromtext
    st_multipointfromwkb st_multipolygonfromtext st_multipolygonfromwkb st_numgeometries st_numinteriorring
    st_numinteriorrings st_numpoints st_overlaps st_pointatdistance st_pointfromgeohash st_pointfromtext
    st_pointfromwkb st_pointn st_pointonsurface st_polyfromtext st_polyfromwkb st_polygonfromtext
    st_polygonfromwkb st_relate st_simplify st_srid st_startpoint st_swapxy st_symdifference st_touches
    st_transform st_union st_validate st_within st_x st_y startpoint std stddev stddev_pop stddev_samp
    str_to_date strcmp string_to_vector subdate substr substring substring_index subtime sum sys_guid sysdate
    tan time time_format time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_char to_date
    to_days to_number to_seconds to_vector touches trim trim_oracle trunc truncate ucase uncompress
    uncompressed_length unhex unix_timestamp updatexml upper utc_date utc_time utc_timestamp uuid uuid_short
    uuid_to_bin uuid_v4 uuid_v7 var_pop var_samp variance vec_distance vec_distance_cosine
    vec_distance_euclidean vec_fromtext vec_totext vector_dim vector_to_string version week weekday weekofyear
    weight_string within x y year yearweek column_add column_delete column_check kdf
  `),
  tableFunctions: names('json_table'),
  refused: refusals({
    'reads or writes files': `
      load_file gen_dictionary_load gen_dictionary_drop gen_dictionary masking_dictionary_term_add
      masking_dictionary_term_remove masking_dictionary_remove masking_dictionaries_flush`,
    'runs programs or SQL outside the query': `
      sys_exec sys_eval sys_get sys_set spider_direct_sql spider_bg_direct_sql spider_copy_tables
      spider_flush_table_mon_cache spider_ping_table mroonga_command http_get http_post sphinx_snippets`,
    'only makes the engine wait': `
      sleep benchmark master_pos_wait source_pos_wait master_gtid_wait wait_for_executed_gtid_set
      wait_until_sql_thread_after_gtids wsrep_sync_wait_upto_gtid`,
    'takes or frees locks': `
      get_lock release_lock release_all_locks is_free_lock is_used_lock service_get_read_locks
      service_get_write_locks service_release_locks version_tokens_lock_shared version_tokens_lock_exclusive
      version_tokens_unlock`,
    'changes state': `
      nextval lastval setval last_insert_id version_tokens_set version_tokens_edit version_tokens_delete
      version_tokens_show keyring_key_generate keyring_key_store keyring_key_remove set_firewall_mode
      set_firewall_group_mode firewall_group_enlist firewall_group_delist mysql_firewall_flush_status
      read_firewall_users read_firewall_whitelist read_firewall_groups read_firewall_group_allowlist
      load_rewrite_rules audit_log_filter_set_filter audit_log_filter_remove_filter audit_log_filter_set_user
      audit_log_filter_remove_user audit_log_filter_flush audit_log_rotate audit_log_encryption_password_set
      audit_api_message_emit_udf group_replication_set_as_primary
      group_replication_switch_to_multi_primary_mode group_replication_switch_to_single_primary_mode
      group_replication_set_write_concurrency group_replication_set_communication_protocol
      group_replication_enable_member_action group_replication_disable_member_action
      group_replication_reset_member_actions asynchronous_connection_failover_add_source
      asynchronous_connection_failover_delete_source asynchronous_connection_failover_add_managed
      asynchronous_connection_failover_delete_managed asynchronous_connection_failover_reset`,
    'tells about the engine or its settings': `
      user current_user session_user system_user current_role roles_graphml connection_id found_rows row_count
      ps_thread_id ps_current_thread_id icu_version binlog_gtid_pos gtid_subset gtid_subtract
      wsrep_last_seen_gtid wsrep_last_written_gtid statement_digest statement_digest_text
      validate_password_strength audit_log_read audit_log_read_bookmark audit_log_encryption_password_get
      keyring_key_fetch keyring_key_length_fetch keyring_key_type_fetch mysql_query_attribute_string
      decode_histogram can_access_column can_access_database can_access_table can_access_user can_access_view`,
    'works with keys that lie on the server': 'des_encrypt des_decrypt',
    'only shows a setting of a column or a constant': 'default name_const values value',
  }),
  // Hints about the plan change no result; MAX_EXECUTION_TIME, SET_VAR and RESOURCE_GROUP change the session's limits.
  refusedComment:
    /^\/\*\+(?!(?:\s*(?:QB_NAME|MERGE|NO_MERGE|DERIVED_CONDITION_PUSHDOWN|NO_DERIVED_CONDITION_PUSHDOWN|BKA|NO_BKA|BNL|NO_BNL|HASH_JOIN|NO_HASH_JOIN|INDEX|NO_INDEX|INDEX_MERGE|NO_INDEX_MERGE|JOIN_INDEX|NO_JOIN_INDEX|GROUP_INDEX|NO_GROUP_INDEX|ORDER_INDEX|NO_ORDER_INDEX|JOIN_FIXED_ORDER|JOIN_ORDER|JOIN_PREFIX|JOIN_SUFFIX|MRR|NO_MRR|NO_ICP|NO_RANGE_OPTIMIZATION|SEMIJOIN|NO_SEMIJOIN|SUBQUERY|SKIP_SCAN|NO_SKIP_SCAN)\s*\([^()]*\))+\s*\*\/$)/i,
  refusedColumns: names('nextval currval lastval'),
  systemTable: /^(?:innodb_(?:table|index)_stats|gtid_executed|gtid_slave_pos|slow_log)$/,
  systemSchemas: new Set(['mysql', 'information_schema', 'performance_schema', 'sys', 'ndbinfo']),
  statementWords: names('table'),
  fileTable: undefined,
};
