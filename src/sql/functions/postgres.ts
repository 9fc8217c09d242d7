import { names, type ReadingRules, refusals } from './reading-rules.ts';

/** Functions that give rows. PostgreSQL lets them stand in FROM and in the select list. */
const ROWS = `
  each generate_series generate_subscripts json_array_elements json_array_elements_text json_each
  json_each_text json_object_keys json_populate_record json_populate_recordset json_table json_to_record
  json_to_recordset jsonb_array_elements jsonb_array_elements_text jsonb_each jsonb_each_text
  jsonb_object_keys jsonb_path_query jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset
  jsonb_to_record jsonb_to_recordset normal_rand regexp_matches regexp_split_to_table skeys 
  st_dump st_dumppoints st_dumprings st_dumpsegments st_hexagongrid st_squaregrid st_subdivide string_to_table svals
  ts_parse unnest xmltable
`;

/** PostgreSQL 12 to 18, with the extensions an analyst meets: what only computes from its arguments. */
export const POSTGRES_READING: ReadingRules = {
  functions: names(`
    abbrev abs acos acosd acosh age akeys any_value area array array_agg array_append array_cat array_dims
    array_fill array_length array_lower array_ndims array_position array_positions array_prepend array_remove
    array_replace array_reverse array_sample array_shuffle array_sort array_to_json array_to_string
    array_to_tsvector array_upper arraycontained arraycontains arrayoverlap ascii asin asind asinh atan atan2
    atan2d atand atanh avals avg binary_quantize bit bit_and bit_count bit_length bit_or bit_xor bool bool_and
    bool_or bound_box box bpchar broadcast btrim bytea cardinality casefold cast cbrt ceil ceiling center char
    char_length character_length chr cidr circle clock_timestamp coalesce concat concat_ws convert
    convert_from convert_to corr cos cosd cosh cosine_distance cot cotd count covar_pop covar_samp crc32
    crc32c crypt cume_dist current_catalog current_database current_date current_schema current_time
    current_timestamp daitch_mokotoff date date_add date_bin date_part date_subtract date_trunc datemultirange
    daterange decode decrypt defined degrees dense_rank diagonal diameter difference digest div dmetaphone
    dmetaphone_alt earth earth_box earth_distance encode encrypt enum_first enum_last enum_range erf erfc
    every exist exists exp extract factorial family first first_value float4 float8 floor format gamma
    gc_to_sec gcd gen_random_bytes gen_random_uuid geography geometry get_bit get_byte greatest grouping
    hamming_distance hashtext hashtextextended height histogram hmac host hostmask hstore hstore_to_array
    hstore_to_json hstore_to_json_loose hstore_to_jsonb hstore_to_jsonb_loose hstore_to_matrix icount idx
    inet_merge inet_same_family initcap inner_product int2 int4 int4multirange int4range int8 int8multirange
    int8range interpolate interval intset is_normalized isclosed isempty isfinite ishorizontal isopen
    isparallel isperp isvertical jaccard_distance json json_agg json_agg_strict json_array json_array_length
    json_arrayagg json_build_array json_build_object json_exists json_extract_path json_extract_path_text
    json_object json_object_agg json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict
    json_objectagg json_query json_scalar json_serialize json_strip_nulls json_to_tsvector json_typeof
    json_value jsonb jsonb_agg jsonb_agg_strict jsonb_array_length jsonb_build_array jsonb_build_object
    jsonb_concat jsonb_contained jsonb_contains jsonb_delete jsonb_delete_path jsonb_exists jsonb_exists_all
    jsonb_exists_any jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg
    jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict jsonb_path_exists
    jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query_array jsonb_path_query_array_tz
    jsonb_path_query_first jsonb_path_query_first_tz jsonb_populate_record_valid jsonb_pretty jsonb_set
    jsonb_set_lax jsonb_strip_nulls jsonb_to_tsvector jsonb_typeof justify_days justify_hours justify_interval
    l1_distance l2_distance l2_norm l2_normalize lag last last_value latitude lca lcm lead least left length
    levenshtein levenshtein_less_equal lgamma like line ll_to_earth ln localtime localtimestamp locf log log10
    longitude lower lower_inc lower_inf lpad lseg ltrim macaddr macaddr8 macaddr8_set7bit make_date
    make_interval make_time make_timestamp make_timestamptz masklen max md5 metaphone min min_scale mod mode
    money multirange name netmask network nlevel normalize notlike now npoints nth_value ntile nullif
    num_nonnulls num_nulls numeric nummultirange numnode numrange octet_length oid overlaps overlay parse_ident
    path pclose percent_rank percentile_cont percentile_disc pg_column_size
    pg_size_bytes pg_size_pretty pg_typeof pgp_sym_decrypt pgp_sym_encrypt phraseto_tsquery
    pi plainto_tsquery point polygon popen position pow power querytree quote_ident quote_literal
    quote_nullable radians radius random random_normal range_agg range_intersect_agg range_merge rank
    regexp_count regexp_instr regexp_like regexp_match regexp_replace regexp_split_to_array regexp_substr
    regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace
    reverse right round row row_number row_to_json rpad rtrim scale sec_to_gc set_bit set_byte set_masklen
    setweight sha224 sha256 sha384 sha512 show_trgm sign similarity sin sind sinh slice slope sort sort_asc
    sort_desc soundex split_part sqrt st_area st_asbinary st_asewkb st_asewkt st_asgeojson st_asmvt
    st_asmvtgeom st_astext st_azimuth st_boundary st_buffer st_centroid st_closestpoint st_clusterdbscan
    st_clusterkmeans st_collect st_contains st_containsproperly st_convexhull st_coveredby st_covers
    st_crosses st_difference st_dimension st_disjoint st_distance st_distancesphere st_distancespheroid
    st_dwithin st_endpoint st_envelope st_equals st_expand st_extent st_exteriorring st_geogfromtext
    st_geographyfromtext st_geohash st_geometryfromtext st_geometryn st_geometrytype st_geomfromewkt
    st_geomfromgeohash st_geomfromgeojson st_geomfromtext st_geomfromwkb st_hausdorffdistance st_intersection
    st_intersects st_isclosed st_isempty st_issimple st_isvalid st_length st_lineinterpolatepoint
    st_linelocatepoint st_linemerge st_linesubstring st_makeenvelope st_makeline st_makepoint st_makepolygon
    st_makevalid st_maxdistance st_multi st_npoints st_numgeometries st_numpoints st_overlaps st_perimeter
    st_point st_pointfromtext st_pointn st_pointonsurface st_polygon st_relate st_reverse st_setsrid
    st_simplify st_simplifypreservetopology st_snaptogrid st_srid st_startpoint st_symdifference st_touches
    st_transform st_union st_within st_x st_xmax st_xmin st_y st_ymax st_ymin st_z starts_with
    statement_timestamp stddev stddev_pop stddev_samp strict_word_similarity string_agg string_to_array strip
    strpos subarray subltree subpath substr substring subvector sum tan tand tanh text textcat time
    time_bucket time_bucket_gapfill timeofday timestamp timestamptz timetz timezone to_ascii to_bin to_char
    to_date to_hex to_json to_jsonb to_number to_oct to_timestamp to_tsquery to_tsvector transaction_timestamp
    translate trim trim_array trim_scale trunc ts_delete ts_filter ts_headline ts_lexize ts_rank ts_rank_cd
    tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange tsvector_to_array unaccent unicode_assigned
    uniq unistr upper upper_inc upper_inf uuid_extract_timestamp uuid_extract_version uuid_generate_v1
    uuid_generate_v1mc uuid_generate_v3 uuid_generate_v4 uuid_generate_v5 uuid_nil uuidv4 uuidv7 var_pop
    var_samp varbit varchar variance vector_dims vector_norm version websearch_to_tsquery width width_bucket
    word_similarity xml xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlagg
    xmlattributes xmlcomment xmlconcat xmlnamespaces xmlelement xmlexists xmlforest xmlparse xmlpi xmlroot xmlserialize xmltext xpath
    xpath_exists
    armor array_larger array_smaller citext cube cube_contained cube_contains cube_coord cube_coord_llur
    cube_dim cube_distance cube_enlarge cube_inter cube_is_point cube_ll_coord cube_overlap cube_size
    cube_subset cube_union cube_ur_coord dearmor decrypt_iv delete distance_chebyshev distance_taxicab
    encrypt_iv exists_all exists_any fetchval gen_salt geo_distance hs_concat index int_array_aggregate
    intarray_del_elem intarray_push_array intarray_push_elem intset_subtract intset_union_elem is_valid isbn
    isbn13 isdefined isexists ismn ismn13 issn issn13 ltree2text ltree_addltree ltree_addtext make_valid
    pgp_key_id pgp_pub_decrypt pgp_pub_decrypt_bytea pgp_pub_encrypt pgp_pub_encrypt_bytea
    pgp_sym_decrypt_bytea pgp_sym_encrypt_bytea populate_record seg_center seg_contained seg_contains
    seg_inter seg_lower seg_overlap seg_size seg_union seg_upper slice_array text2ltree text_soundex upc
    uuid_ns_dns uuid_ns_oid uuid_ns_url uuid_ns_x500 xml_encode_special_chars xml_valid xpath_bool
    xpath_list xpath_nodeset xpath_number xpath_string st_3darea st_3dclosestpoint st_3ddfullywithin
    st_3ddistance st_3ddwithin st_3dextent st_3dintersects st_3dlength st_3dlineinterpolatepoint
    st_3dlongestline st_3dmakebox st_3dmaxdistance st_3dperimeter st_3dshortestline st_addmeasure
    st_addpoint st_affine st_angle st_asencodedpolyline st_asgeobuf st_asgml st_ashexewkb st_ashexwkb
    st_askml st_aslatlontext st_asmarc21 st_assvg st_astwkb st_asx3d st_bdmpolyfromtext st_bdpolyfromtext
    st_boundingdiagonal st_box2dfromgeohash st_buildarea st_chaikinsmoothing st_cleangeometry st_clipbybox2d
    st_closestpointofapproach st_clusterintersecting st_clusterintersectingwin st_clusterwithin
    st_clusterwithinwin st_collectionextract st_collectionhomogenize st_concavehull st_coorddim
    st_coverageclean st_coverageinvalidedges st_coveragesimplify st_coverageunion st_cpawithin st_curven
    st_curvetoline st_delaunaytriangles st_dfullywithin st_distancecpa st_filterbym st_flipcoordinates
    st_force2d st_force3d st_force3dm st_force3dz st_force4d st_forcecollection st_forcecurve
    st_forcepolygonccw st_forcepolygoncw st_forcerhr st_forcesfs st_frechetdistance st_fromflatgeobuf
    st_generatepoints st_geogfromwkb st_geomcollfromtext st_geometricmedian st_geomfromewkb st_geomfromgml
    st_geomfromkml st_geomfromtwkb st_gmltosql st_hasarc st_hasm st_hasz st_hexagon st_interiorringn
    st_interpolatepoint st_inversetransformpipeline st_iscollection st_ispolygonccw st_ispolygoncw st_isring
    st_isvaliddetail st_isvalidreason st_isvalidtrajectory st_largestemptycircle st_length2d
    st_lengthspheroid st_letters st_linecrossingdirection st_lineextend st_linefromencodedpolyline
    st_linefromgeohash st_linefrommultipoint st_linefromtext st_linefromwkb st_lineinterpolatepoints
    st_linestringfromwkb st_linetocurve st_locatealong st_locatebetween st_locatebetweenelevations
    st_longestline st_m st_makebox2d st_makepointm st_maximuminscribedcircle st_memcollect st_memsize
    st_memunion st_minimumboundingcircle st_minimumboundingradius st_minimumclearance
    st_minimumclearanceline st_mlinefromtext st_mpointfromtext st_mpolyfromtext st_multilinestringfromtext
    st_multipointfromtext st_multipolygonfromtext st_ndims st_node st_normalize st_nrings st_numcurves
    st_numinteriorring st_numinteriorrings st_numpatches st_offsetcurve st_orderingequals
    st_orientedenvelope st_patchn st_perimeter2d st_pointfromgeohash st_pointfromwkb st_pointinsidecircle
    st_pointm st_points st_pointz st_pointzm st_polygonfromtext st_polygonize st_project
    st_quantizecoordinates st_reduceprecision st_relatematch st_removeirrelevantpointsforview st_removepoint
    st_removerepeatedpoints st_removesmallparts st_rotate st_rotatex st_rotatey st_rotatez st_scale
    st_scroll st_segmentize st_seteffectivearea st_setpoint st_sharedpaths st_shiftlongitude st_shortestline
    st_simplifypolygonhull st_simplifyvw st_snap st_split st_square st_summary st_swapordinates
    st_tileenvelope st_translate st_transformpipeline st_transscale st_triangulatepolygon st_unaryunion
    st_voronoilines st_voronoipolygons st_wkbtosql st_wkttosql st_wrapx st_zmax st_zmflag st_zmin st_mmax
    st_mmin
    ${ROWS}
  `),
  tableFunctions: names(`
    coalesce current_date current_timestamp date_trunc jsonb_path_query_array jsonb_path_query_first make_date
    now phraseto_tsquery plainto_tsquery regexp_match row st_geomfromtext st_makeenvelope st_makepoint
    st_point st_setsrid st_transform string_to_array to_tsquery to_tsvector websearch_to_tsquery
    ${ROWS}
  `),
  refused: refusals({
    'reads or writes files': `
      pg_read_file pg_read_binary_file pg_stat_file pg_ls_dir pg_ls_logdir pg_ls_waldir pg_ls_tmpdir
      pg_ls_archive_statusdir pg_ls_logicalmapdir pg_ls_logicalsnapdir pg_ls_replslotdir pg_ls_summariesdir
      pg_current_logfile pg_hba_file_rules pg_ident_file_mappings pg_show_all_file_settings pg_logdir_ls
      pg_file_read pg_file_write pg_file_sync pg_file_rename pg_file_unlink pg_file_length lo_import lo_export
      st_fromgdalraster`,
    'reaches another server': `
      dblink dblink_exec dblink_connect dblink_connect_u dblink_disconnect dblink_open dblink_fetch
      dblink_close dblink_send_query dblink_get_result dblink_get_notify dblink_cancel_query
      dblink_get_connections dblink_error_message postgres_fdw_disconnect postgres_fdw_disconnect_all
      postgres_fdw_get_connections http http_get http_post http_put http_patch http_delete http_head
      http_set_curlopt`,
    'runs SQL out of a text or reads a table named by a text': `
      query_to_xml query_to_xmlschema query_to_xml_and_xmlschema table_to_xml table_to_xmlschema
      table_to_xml_and_xmlschema schema_to_xml schema_to_xmlschema schema_to_xml_and_xmlschema database_to_xml
      database_to_xmlschema database_to_xml_and_xmlschema cursor_to_xml cursor_to_xmlschema ts_stat ts_rewrite
      crosstab crosstab2 crosstab3 crosstab4 crosstabn connectby xpath_table xslt_process st_estimatedextent
      st_findextent find_srid populate_geometry_columns run_command_on_workers run_command_on_shards
      run_command_on_placements`,
    'reads or changes large objects': `
      lo_get lo_put lo_from_bytea lo_creat lo_create lo_open lo_close lo_unlink lo_lseek lo_lseek64 lo_tell
      lo_tell64 lo_truncate lo_truncate64 loread lowrite`,
    'only makes the engine wait': 'pg_sleep pg_sleep_for pg_sleep_until',
    'takes or frees locks': `
      pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_shared
      pg_advisory_unlock_all pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_try_advisory_lock
      pg_try_advisory_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared`,
    'tells whether a name of the engine exists': 'pg_input_is_valid pg_input_error_info',
    'changes state': `
      create_hypertable add_retention_policy drop_chunks nextval setval currval lastval set_config setseed
      set_limit pg_notify pg_export_snapshot pg_nextoid pg_current_xact_id txid_current
      pg_logical_emit_message pg_import_system_collations pg_extension_config_dump brin_summarize_new_values
      brin_summarize_range brin_desummarize_range gin_clean_pending_list pg_restore_relation_stats
      pg_restore_attribute_stats pg_clear_relation_stats pg_clear_attribute_stats pg_stat_statements_reset
      pg_prewarm`,
    'manages the server': `
      pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_log_backend_memory_contexts
      pg_switch_wal pg_create_restore_point pg_backup_start pg_backup_stop pg_start_backup pg_stop_backup
      pg_promote pg_wal_replay_pause pg_wal_replay_resume pg_log_standby_snapshot pg_sync_replication_slots
      pg_create_physical_replication_slot pg_create_logical_replication_slot pg_copy_physical_replication_slot
      pg_copy_logical_replication_slot pg_drop_replication_slot pg_replication_slot_advance
      pg_logical_slot_get_changes pg_logical_slot_peek_changes pg_logical_slot_get_binary_changes
      pg_logical_slot_peek_binary_changes pg_replication_origin_create pg_replication_origin_drop
      pg_replication_origin_advance pg_replication_origin_session_setup pg_replication_origin_session_reset
      pg_replication_origin_xact_setup pg_replication_origin_xact_reset pg_stat_reset pg_stat_reset_shared
      pg_stat_reset_slru pg_stat_reset_single_table_counters pg_stat_reset_single_function_counters
      pg_stat_reset_backend_stats pg_stat_reset_replication_slot pg_stat_reset_subscription_stats
      pg_stat_clear_snapshot pg_stat_force_next_flush`,
    'tells about the engine or its settings': `
      current_setting current_user session_user system_user user current_role getpgusername current_query
      current_schemas row_security_active inet_client_addr inet_client_port inet_server_addr inet_server_port
      pg_backend_pid pg_blocking_pids pg_safe_snapshot_blocking_pids pg_postmaster_start_time
      pg_conf_load_time pg_config pg_settings_get_flags pg_show_all_settings pg_client_encoding
      getdatabaseencoding get_current_ts_config ts_debug ts_token_type pg_is_in_recovery pg_current_wal_lsn pg_current_wal_insert_lsn
      pg_current_wal_flush_lsn pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp
      pg_current_snapshot txid_current_snapshot pg_current_xact_id_if_assigned txid_current_if_assigned
      txid_status pg_xact_status pg_lock_status pg_stat_get_activity pg_control_system pg_control_checkpoint
      pg_control_init pg_control_recovery pg_database_size pg_table_size pg_relation_size
      pg_total_relation_size pg_indexes_size pg_tablespace_size pg_tablespace_location pg_relation_filepath
      pg_relation_filenode pg_get_viewdef pg_get_functiondef pg_get_indexdef pg_get_constraintdef
      pg_get_triggerdef pg_get_ruledef pg_get_expr pg_get_userbyid pg_get_serial_sequence pg_get_keywords
      pg_sequence_last_value pg_sequence_parameters pg_has_role has_table_privilege has_any_column_privilege
      has_column_privilege has_schema_privilege has_database_privilege has_function_privilege
      has_sequence_privilege has_server_privilege obj_description col_description shobj_description
      format_type to_regclass to_regproc to_regrole to_regnamespace to_regtype pg_listening_channels
      pg_notification_queue_usage pg_available_extensions pg_timezone_names aclexplode`,
  }),
  systemTable: /^pg_/,
  systemSchemas: new Set(['pg_catalog', 'information_schema', 'pg_toast', 'pg_temp']),
  statementWords: names('table'),
  tableWords: names('current_role current_user session_user system_user user'),
  fileTable: undefined,
  // `ts_rewrite(query, 'SELECT …')` runs its text; with three arguments it computes.
  calledOnlyWith: { ts_rewrite: { arguments: 3 } },
  quotedCalls: 'lower',
  attributesAreCalls: true,
  types: names(`
    array bigint bigserial bit bool boolean box bpchar bytea char character cid cidr circle date datemultirange
    daterange decimal dec double float float4 float8 inet int int2 int4 int4multirange int4range int8
    int8multirange int8range integer interval json jsonb jsonpath line lseg macaddr macaddr8 money name national
    nchar numeric nummultirange numrange oid path point polygon real record smallint text tid time timestamp
    timestamptz timetz tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector unknown uuid varbit
    varchar xid xid8 xml
    box2d box3d citext cube earth ean13 geography geometry halfvec hstore isbn isbn13 ismn issn lquery ltree
    ltxtquery query_int seg sparsevec upc vector
  `),
  operators: names(`
    !! !~ !~* !~~ !~~* # ## #- #> #>> % & && &< &<| &> &/& * ** + - -> ->> -|- / < <-> <#> <+> <%> << <<= <<| <=
    <=> <> != <@ <^ = > >= >> >>= >^ ? ?# ?& ?- ?-| ?| ?|| @ @-@ @> @? @@ @@@ ^ ^@ | |&> |/ |>> || ||/ ~ ~*
    ~<=~ ~<~ ~= ~>=~ ~>~ ~~ ~~* <% %> <<% %>> <<-> <->> <<<-> <->>> &&& &<| ~> ^~ ^? ^@> ^<@ ?@> ?<@ ?~ %% %#
    <~> <<->> <<#>> <#=# #= <@> ?@ *<> *< *> *<= *>=
  `),
  // `'x'::regclass` tells whether there is a table x, `1::regrole` who has an account.
  refusedTypes:
    /^(?:(?:pg_catalog|information_schema)\.)?_?(?:pg_(?!catalog\.)|aclitem\b|reg(?:class|proc|procedure|oper|operator|role|namespace|type|config|dictionary|collation)\b)|^information_schema\./i,
  continuesEscapes: true,
};
