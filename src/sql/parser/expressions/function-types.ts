/**
 * Which type of node a called function is, as data: `Type: NAME NAME; …`. The types are SQLGlot's, so that counts of nodes can be
 * compared; a name that is not here is Anonymous. A dialect lists only what differs from the common names.
 */
import type { DialectName } from '../../dialects/dialect.ts';
import type { NodeType } from '../../tree/node-types.ts';

const COMMON = `
Struct: STRUCT; Array: ARRAY; Map: MAP; Unnest: UNNEST; Abs: ABS; Acos: ACOS; Acosh: ACOSH; AddMonths:
ADD_MONTHS; Agg: AGG; AnonymousAggFunc: ANONYMOUS_AGG_FUNC; AnyValue: ANY_VALUE; ApproxDistinct:
APPROX_COUNT_DISTINCT APPROX_DISTINCT; ApproxPercentileAccumulate: APPROX_PERCENTILE_ACCUMULATE;
ApproxPercentileCombine: APPROX_PERCENTILE_COMBINE; ApproxPercentileEstimate: APPROX_PERCENTILE_ESTIMATE;
ApproxQuantile: APPROX_QUANTILE; ApproxQuantiles: APPROX_QUANTILES; ApproxTopK: APPROX_TOP_K;
ApproxTopKAccumulate: APPROX_TOP_K_ACCUMULATE; ApproxTopKCombine: APPROX_TOP_K_COMBINE; ApproxTopKEstimate:
APPROX_TOP_K_ESTIMATE; ApproxTopSum: APPROX_TOP_SUM; ApproximateSimilarity: APPROXIMATE_JACCARD_INDEX
APPROXIMATE_SIMILARITY; ArgMax: ARGMAX ARG_MAX MAX_BY; ArgMin: ARGMIN ARG_MIN MIN_BY; ArrayAgg: ARRAYAGG
ARRAY_AGG; ArrayAll: ARRAY_ALL; ArrayAny: ARRAY_ANY; ArrayAppend: ARRAY_APPEND; ArrayCompact: ARRAY_COMPACT;
ArrayConcat: ARRAY_CAT ARRAY_CONCAT; ArrayConcatAgg: ARRAY_CONCAT_AGG; ArrayConstructCompact:
ARRAY_CONSTRUCT_COMPACT; ArrayContainedBy: ARRAY_CONTAINED_BY; ArrayContains: ARRAY_CONTAINS ARRAY_HAS;
ArrayContainsAll: ARRAY_CONTAINS_ALL ARRAY_HAS_ALL; ArrayDistinct: ARRAY_DISTINCT; ArrayExcept: ARRAY_EXCEPT;
ArrayFilter: ARRAY_FILTER FILTER; ArrayFirst: ARRAY_FIRST; ArrayInsert: ARRAY_INSERT; ArrayIntersect:
ARRAY_INTERSECT ARRAY_INTERSECTION; ArrayLast: ARRAY_LAST; ArrayMax: ARRAY_MAX; ArrayMin: ARRAY_MIN;
ArrayOverlaps: ARRAY_OVERLAPS; ArrayPosition: ARRAY_POSITION; ArrayPrepend: ARRAY_PREPEND; ArrayRemove:
ARRAY_REMOVE; ArrayRemoveAt: ARRAY_REMOVE_AT; ArrayReverse: ARRAY_REVERSE; ArraySize: ARRAY_LENGTH ARRAY_SIZE;
ArraySlice: ARRAY_SLICE; ArraySort: ARRAY_SORT SORT_ARRAY; ArraySum: ARRAY_SUM; ArrayToString: ARRAY_JOIN
ARRAY_TO_STRING; ArrayUnionAgg: ARRAY_UNION_AGG; ArrayUniqueAgg: ARRAY_UNIQUE_AGG; ArraysZip: ARRAYS_ZIP; Ascii:
ASCII; Asin: ASIN; Asinh: ASINH; Atan: ATAN; Atan2: ATAN2; Atanh: ATANH; Avg: AVG; Base64DecodeBinary:
BASE64_DECODE_BINARY; Base64DecodeString: BASE64_DECODE_STRING; Base64Encode: BASE64_ENCODE; BitLength:
BIT_LENGTH; BitmapBitPosition: BITMAP_BIT_POSITION; BitmapBucketNumber: BITMAP_BUCKET_NUMBER;
BitmapConstructAgg: BITMAP_CONSTRUCT_AGG; BitmapCount: BITMAP_COUNT; BitmapOrAgg: BITMAP_OR_AGG; BitwiseAndAgg:
BITWISE_AND_AGG; BitwiseCount: BITWISE_COUNT; BitwiseOrAgg: BITWISE_OR_AGG; BitwiseXorAgg: BITWISE_XOR_AGG;
Booland: BOOLAND; Boolnot: BOOLNOT; Boolor: BOOLOR; BoolxorAgg: BOOLXOR_AGG; ByteLength: BYTE_LENGTH;
CastToStrType: CAST_TO_STR_TYPE; Cbrt: CBRT; Ceil: CEIL CEILING; CheckJson: CHECK_JSON; CheckXml: CHECK_XML;
Chr: CHAR CHR; CityHash64: CITY_HASH64; Coalesce: COALESCE IFNULL NVL; CodePointsToBytes: CODE_POINTS_TO_BYTES;
CodePointsToString: CODE_POINTS_TO_STRING; Collation: COLLATION; Columns: COLUMNS; CombinedAggFunc:
COMBINED_AGG_FUNC; CombinedParameterizedAgg: COMBINED_PARAMETERIZED_AGG; Compress: COMPRESS; Concat: CONCAT;
ConcatWs: CONCAT_WS; ConnectByRoot: CONNECT_BY_ROOT; Contains: CONTAINS; ConvertTimezone: CONVERT_TIMEZONE;
ConvertToCharset: CONVERT_TO_CHARSET; Corr: CORR; Cos: COS; Cosh: COSH; CosineDistance: COSINE_DISTANCE; Cot:
COT; Coth: COTH; Count: COUNT; CountIf: COUNTIF COUNT_IF; CovarPop: COVAR_POP; CovarSamp: COVAR_SAMP; Csc: CSC;
Csch: CSCH; CumeDist: CUME_DIST; CurrentAccount: CURRENT_ACCOUNT; CurrentAccountName: CURRENT_ACCOUNT_NAME;
CurrentAvailableRoles: CURRENT_AVAILABLE_ROLES; CurrentCatalog: CURRENT_CATALOG; CurrentClient: CURRENT_CLIENT;
CurrentDatabase: CURRENT_DATABASE; CurrentDate: CURRENT_DATE; CurrentDatetime: CURRENT_DATETIME;
CurrentIpAddress: CURRENT_IP_ADDRESS; CurrentOrganizationName: CURRENT_ORGANIZATION_NAME;
CurrentOrganizationUser: CURRENT_ORGANIZATION_USER; CurrentRegion: CURRENT_REGION; CurrentRole: CURRENT_ROLE;
CurrentRoleType: CURRENT_ROLE_TYPE; CurrentSchema: CURRENT_SCHEMA; CurrentSchemas: CURRENT_SCHEMAS;
CurrentSecondaryRoles: CURRENT_SECONDARY_ROLES; CurrentSession: CURRENT_SESSION; CurrentStatement:
CURRENT_STATEMENT; CurrentTime: CURRENT_TIME; CurrentTimestamp: CURRENT_TIMESTAMP; CurrentTimezone:
CURRENT_TIMEZONE; CurrentTransaction: CURRENT_TRANSACTION; CurrentUser: CURRENT_USER; CurrentUserId:
CURRENT_USER_ID; CurrentVersion: CURRENT_VERSION; CurrentWarehouse: CURRENT_WAREHOUSE; Date: DATE; DateAdd:
DATE_ADD; DateBin: DATE_BIN; DateDiff: DATEDIFF DATE_DIFF; DateFromParts: DATEFROMPARTS DATE_FROM_PARTS;
DateFromUnixDate: DATE_FROM_UNIX_DATE; DateSub: DATE_SUB; DateTrunc: DATE_TRUNC; Datetime: DATETIME;
DatetimeAdd: DATETIME_ADD; DatetimeDiff: DATETIME_DIFF; DatetimeSub: DATETIME_SUB; DatetimeTrunc:
DATETIME_TRUNC; Day: DAY; DayOfMonth: DAYOFMONTH DAY_OF_MONTH; DayOfWeek: DAYOFWEEK DAY_OF_WEEK; DayOfWeekIso:
DAYOFWEEK_ISO ISODOW; DayOfYear: DAYOFYEAR DAY_OF_YEAR; Dayname: DAYNAME; Decode: DECODE; DecodeCase:
DECODE_CASE; DecompressBinary: DECOMPRESS_BINARY; DecompressString: DECOMPRESS_STRING; Decrypt: DECRYPT;
DecryptRaw: DECRYPT_RAW; Degrees: DEGREES; DenseRank: DENSE_RANK; DotProduct: DOT_PRODUCT; DynamicIdentifier:
DYNAMIC_IDENTIFIER; Elt: ELT; Encode: ENCODE; Encrypt: ENCRYPT; EncryptRaw: ENCRYPT_RAW; EndsWith: ENDSWITH
ENDS_WITH; EqualNull: EQUAL_NULL; EuclideanDistance: EUCLIDEAN_DISTANCE; Exp: EXP; Explode: EXPLODE;
ExplodingGenerateSeries: EXPLODING_GENERATE_SERIES; Extract: EXTRACT; Factorial: FACTORIAL; FarmFingerprint:
FARMFINGERPRINT64 FARM_FINGERPRINT; FeaturesAtTime: FEATURES_AT_TIME; First: FIRST; FirstValue: FIRST_VALUE;
Flatten: FLATTEN; Float64: FLOAT64; Floor: FLOOR; Format: FORMAT; FromBase: FROM_BASE; FromBase32: FROM_BASE32;
FromBase64: FROM_BASE64; FromISO8601Date: FROM_ISO8601_DATE; FromISO8601Timestamp: FROM_ISO8601_TIMESTAMP;
FromISO8601TimestampNanos: FROM_ISO8601_TIMESTAMP_NANOS; FromJson: FROM_JSON; GapFill: GAP_FILL; GenerateBool:
GENERATE_BOOL; GenerateDateArray: GENERATE_DATE_ARRAY; GenerateDouble: GENERATE_DOUBLE; GenerateEmbedding:
GENERATE_EMBEDDING; GenerateInt: GENERATE_INT; GenerateSeries: GENERATE_SERIES; GenerateTable: GENERATE_TABLE;
GenerateText: GENERATE_TEXT; GenerateTimestampArray: GENERATE_TIMESTAMP_ARRAY; Generator: GENERATOR; GetExtract:
GET_EXTRACT; GetIgnoreCase: GET_IGNORE_CASE; Getbit: GETBIT GET_BIT; Glob: GLOB; Greatest: GREATEST;
GroupConcat: GROUP_CONCAT STRING_AGG; Grouping: GROUPING; GroupingId: GROUPING_ID; HashAgg: HASH_AGG; Hex: HEX
TO_HEX; HexDecodeString: HEX_DECODE_STRING; Hll: HLL; Host: HOST; Hour: HOUR; If: IF IIF; Initcap: INITCAP;
Inline: INLINE; Int64: INT64; IsArray: IS_ARRAY; IsAscii: IS_ASCII; IsInf: ISINF IS_INF; IsNan: ISNAN IS_NAN;
IsNullValue: IS_NULL_VALUE; JSONArrayAppend: JSON_ARRAY_APPEND; JSONArrayContains: JSON_ARRAY_CONTAINS;
JSONArrayInsert: JSON_ARRAY_INSERT; JSONBContains: JSONB_CONTAINS; JSONBExists: JSONB_EXISTS; JSONBExtract:
JSONB_EXTRACT; JSONBExtractScalar: JSONB_EXTRACT_SCALAR; JSONExtract: JSON_EXTRACT; JSONExtractArray:
JSON_EXTRACT_ARRAY; JSONExtractScalar: JSON_EXTRACT_PATH_TEXT JSON_EXTRACT_SCALAR; JSONFormat: JSON_FORMAT;
JSONKeys: JSON_KEYS; JSONObject: JSON_OBJECT; JSONObjectAgg: JSON_OBJECTAGG; JSONRemove: JSON_REMOVE; JSONSet:
JSON_SET; JSONStripNulls: JSON_STRIP_NULLS; JSONTable: JSON_TABLE; JSONType: JSON_TYPE; JarowinklerSimilarity:
JAROWINKLER_SIMILARITY; JustifyDays: JUSTIFY_DAYS; JustifyHours: JUSTIFY_HOURS; JustifyInterval:
JUSTIFY_INTERVAL; Kurtosis: KURTOSIS; Lag: LAG; Last: LAST; LastDay: LAST_DAY LAST_DAY_OF_MONTH; LastValue:
LAST_VALUE; LaxBool: LAX_BOOL; LaxFloat64: LAX_FLOAT64; LaxInt64: LAX_INT64; LaxString: LAX_STRING; Lead: LEAD;
Least: LEAST; Left: LEFT; Length: CHARACTER_LENGTH CHAR_LENGTH LEN LENGTH; Levenshtein: LEVENSHTEIN; Like: LIKE;
List: LIST; Ln: LN; Localtime: LOCALTIME; Localtimestamp: LOCALTIMESTAMP; Log: LOG LOG10 LOG2; LogicalAnd:
BOOLAND_AGG BOOL_AND LOGICAL_AND; LogicalOr: BOOLOR_AGG BOOL_OR LOGICAL_OR; Lower: LCASE LOWER; LowerHex:
LOWER_HEX; MD5: MD5; MD5Digest: MD5_DIGEST; MD5NumberLower64: M_D5_NUMBER_LOWER64; MD5NumberUpper64:
M_D5_NUMBER_UPPER64; MakeInterval: MAKE_INTERVAL; ManhattanDistance: MANHATTAN_DISTANCE; MapCat: MAP_CAT;
MapContainsKey: MAP_CONTAINS_KEY; MapDelete: MAP_DELETE; MapFromEntries: MAP_FROM_ENTRIES; MapInsert:
MAP_INSERT; MapKeys: MAP_KEYS; MapPick: MAP_PICK; MapSize: MAP_SIZE; MatchAgainst: MATCH_AGAINST; Max: MAX;
Median: MEDIAN; Min: MIN; Minhash: MINHASH; MinhashCombine: MINHASH_COMBINE; Minute: MINUTE; Mod: MOD; Mode:
MODE; Month: MONTH; Monthname: MONTHNAME; MonthsBetween: MONTHS_BETWEEN; Nanvl: NANVL; Negative: NEGATIVE;
NetFunc: NET_FUNC; NextDay: NEXT_DAY; NextValueFor: NEXT_VALUE_FOR; Normal: NORMAL; Normalize: NORMALIZE;
NthValue: NTH_VALUE; Ntile: NTILE; Nullif: NULLIF; NumberToStr: NUMBER_TO_STR; Nvl2: NVL2; ObjectAgg:
OBJECT_AGG; ObjectId: OBJECT_ID; ObjectInsert: OBJECT_INSERT; ObjectTransform: OBJECT_TRANSFORM; OpenJSON:
OPENJSON; Overlay: OVERLAY; Pad: LEFTPAD LPAD RIGHTPAD RPAD; ParameterizedAgg: PARAMETERIZED_AGG;
ParseBignumeric: PARSE_BIGNUMERIC; ParseDatetime: PARSE_DATETIME; ParseIp: PARSE_IP; ParseJSON: JSON_PARSE
PARSE_JSON; ParseNumeric: PARSE_NUMERIC; ParseTime: PARSE_TIME; ParseUrl: PARSE_URL; PercentRank: PERCENT_RANK;
PercentileCont: PERCENTILE_CONT; PercentileDisc: PERCENTILE_DISC; Pi: PI; Posexplode: POSEXPLODE;
PosexplodeOuter: POSEXPLODE_OUTER; Pow: POW POWER; Predict: PREDICT; PreviousDay: PREVIOUS_DAY; Quantile:
QUANTILE; Quarter: QUARTER; Radians: RADIANS; Rand: RAND RANDOM; Randn: RANDN; Randstr: RANDSTR; RangeBucket:
RANGE_BUCKET; RangeN: RANGE_N; Rank: RANK; ReadCSV: READ_CSV; ReadParquet: READ_PARQUET; Reduce: REDUCE;
RegDomain: REG_DOMAIN; RegexpCount: REGEXP_COUNT; RegexpExtract: REGEXP_EXTRACT; RegexpExtractAll:
REGEXP_EXTRACT_ALL; RegexpFullMatch: REGEXP_FULL_MATCH; RegexpILike: REGEXP_I_LIKE; RegexpInstr: REGEXP_INSTR;
RegexpLike: REGEXP_LIKE; RegexpReplace: REGEXP_REPLACE; RegexpSplit: REGEXP_SPLIT; RegexpSubstr: REGEXP_SUBSTR;
RegrAvgx: REGR_AVGX; RegrAvgy: REGR_AVGY; RegrCount: REGR_COUNT; RegrIntercept: REGR_INTERCEPT; RegrR2: REGR_R2;
RegrSlope: REGR_SLOPE; RegrSxx: REGR_SXX; RegrSxy: REGR_SXY; RegrSyy: REGR_SYY; RegrValx: REGR_VALX; RegrValy:
REGR_VALY; Repeat: REPEAT; Replace: REPLACE; Reverse: REVERSE; Right: RIGHT; Rint: RINT; Round: ROUND;
RowNumber: ROW_NUMBER; RtrimmedLength: RTRIMMED_LENGTH; SHA: SHA SHA1; SHA2: SHA2; SafeAdd: SAFE_ADD;
SafeConvertBytesToString: SAFE_CONVERT_BYTES_TO_STRING; SafeDivide: SAFE_DIVIDE; SafeFunc: SAFE_FUNC;
SafeMultiply: SAFE_MULTIPLY; SafeNegate: SAFE_NEGATE; SafeSubtract: SAFE_SUBTRACT; ScopeResolution:
SCOPE_RESOLUTION; Search: SEARCH; SearchIp: SEARCH_IP; Sec: SEC; Sech: SECH; Second: SECOND; Secret: SECRET;
Seq1: SEQ1; Seq2: SEQ2; Seq4: SEQ4; Seq8: SEQ8; SessionUser: SESSION_USER; Shuffle: SHUFFLE; Sign: SIGN SIGNUM;
Sin: SIN; Sinh: SINH; Skewness: SKEWNESS; Soundex: SOUNDEX; SoundexP123: SOUNDEX_P123; Space: SPACE; Split:
SPLIT; SplitPart: SPLIT_PART; SplitToTable: SPLIT_TO_TABLE; Sqrt: SQRT; StDistance: ST_DISTANCE; StPoint:
ST_MAKEPOINT ST_POINT; Stack: STACK; StandardHash: STANDARD_HASH; StarMap: STAR_MAP; StartsWith: STARTSWITH
STARTS_WITH; Stddev: STDDEV STDEV; StddevPop: STDDEV_POP; StddevSamp: STDDEV_SAMP; StrPosition: CHARINDEX INSTR
LOCATE POSITION STRPOS STR_POSITION; StrToDate: STR_TO_DATE; StrToMap: STR_TO_MAP; StrToTime: STR_TO_TIME;
StrToUnix: STR_TO_UNIX; String: STRING; StringToArray: SPLIT_BY_STRING STRING_TO_ARRAY; StripNullValue:
STRIP_NULL_VALUE; Strtok: STRTOK; StrtokSplitToTable: STRTOK_SPLIT_TO_TABLE; StrtokToArray: STRTOK_TO_ARRAY;
StructExtract: STRUCT_EXTRACT; Substring: SUBSTR SUBSTRING; SubstringIndex: SUBSTRING_INDEX; Sum: SUM;
Systimestamp: SYSTIMESTAMP; Tan: TAN; Tanh: TANH; Time: TIME; TimeAdd: TIME_ADD; TimeDiff: TIME_DIFF;
TimeFromParts: TIMEFROMPARTS TIME_FROM_PARTS; TimeSlice: TIME_SLICE; TimeSub: TIME_SUB; TimeToStr: TIME_TO_STR;
TimeToUnix: TIME_TO_UNIX; TimeTrunc: TIME_TRUNC; Timestamp: TIMESTAMP; TimestampAdd: TIMESTAMP_ADD;
TimestampDiff: TIMESTAMPDIFF TIMESTAMP_DIFF; TimestampFromParts: TIMESTAMPFROMPARTS TIMESTAMP_FROM_PARTS;
TimestampLtzFromParts: TIMESTAMPLTZFROMPARTS TIMESTAMP_LTZ_FROM_PARTS; TimestampSub: TIMESTAMP_SUB;
TimestampTrunc: TIMESTAMP_TRUNC; TimestampTzFromParts: TIMESTAMPTZFROMPARTS TIMESTAMP_TZ_FROM_PARTS; ToArray:
TO_ARRAY; ToBase32: TO_BASE32; ToBase64: TO_BASE64; ToBinary: TO_BINARY; ToBoolean: TO_BOOLEAN; ToChar: TO_CHAR;
ToCodePoints: TO_CODE_POINTS; ToDays: TO_DAYS; ToDecfloat: TO_DECFLOAT; ToDouble: TO_DOUBLE; ToFile: TO_FILE;
ToMap: TO_MAP; ToNumber: TO_NUMBER; ToVariant: TO_VARIANT; Transform: TRANSFORM; Translate: TRANSLATE; Trim:
LTRIM RTRIM TRIM; Trunc: TRUNC TRUNCATE; Try: TRY; TryBase64DecodeBinary: TRY_BASE64_DECODE_BINARY;
TryBase64DecodeString: TRY_BASE64_DECODE_STRING; TryHexDecodeBinary: TRY_HEX_DECODE_BINARY; TryHexDecodeString:
TRY_HEX_DECODE_STRING; TryToDecfloat: TRY_TO_DECFLOAT; TsOrDiToDi: TS_OR_DI_TO_DI; Typeof: TYPEOF; Unhex: UNHEX;
Unicode: UNICODE; Uniform: UNIFORM; UnixDate: UNIX_DATE; UnixMicros: UNIX_MICROS; UnixMillis: UNIX_MILLIS;
UnixSeconds: UNIX_SECONDS; UnixToStr: UNIX_TO_STR; UnixToTime: UNIX_TO_TIME; Upper: UCASE UPPER; UtcDate:
UTC_DATE; UtcTime: UTC_TIME; UtcTimestamp: UTC_TIMESTAMP; Uuid: GENERATE_UUID GEN_RANDOM_UUID UUID UUID_STRING;
VarMap: VAR_MAP; Variance: VARIANCE VARIANCE_SAMP VAR_SAMP; VariancePop: VARIANCE_POP VAR_POP; VectorSearch:
VECTOR_SEARCH; Week: WEEK; WeekOfYear: WEEKOFYEAR WEEK_OF_YEAR; WeekStart: WEEK_START; WeightString:
WEIGHT_STRING; WidthBucket: WIDTH_BUCKET; XMLElement: XMLELEMENT; XMLGet: XMLGET; Xor: XOR; Year: YEAR;
YearOfWeek: YEAROFWEEK YEAR_OF_WEEK; YearOfWeekIso: YEAROFWEEKISO YEAR_OF_WEEK_ISO; Zipf: ZIPF; _ExplodeOuter:
EXPLODE_OUTER
`;

const DIFFERENT: Readonly<Record<DialectName, string>> = {
  sqlite: `
Anonymous: DATETIME TIME; CurrentVersion: SQLITE_VERSION; JSONArrayAgg: JSON_GROUP_ARRAY; JSONExtractScalar:
JSON_EXTRACT; JSONObjectAgg: JSON_GROUP_OBJECT; Levenshtein: EDITDIST3; TimeToStr: STRFTIME
`,
  duckdb: `
Anonymous: DATE_SUB GLOB; Array: LIST_VALUE; ArrayAgg: LIST; ArrayAppend: LIST_APPEND; ArrayConcat: LIST_CONCAT;
ArrayContains: LIST_CONTAINS LIST_HAS; ArrayDistinct: LIST_DISTINCT; ArrayFilter: LIST_FILTER; ArrayMax:
LIST_MAX; ArrayMin: LIST_MIN; ArrayOverlaps: LIST_HAS_ANY; ArrayPrepend: LIST_PREPEND; ArraySort:
ARRAY_REVERSE_SORT LIST_REVERSE_SORT LIST_SORT; BitwiseAndAgg: BIT_AND; BitwiseOrAgg: BIT_OR; BitwiseXor: XOR;
BitwiseXorAgg: BIT_XOR; CosineDistance: LIST_COSINE_DISTANCE; CurrentDate: TODAY; CurrentTime: GET_CURRENT_TIME;
CurrentVersion: VERSION; DateBin: TIME_BUCKET; DateFromParts: MAKE_DATE; EuclideanDistance: LIST_DISTANCE;
GenerateSeries: RANGE; GroupConcat: LISTAGG STRINGAGG; JSONArray: JSON_ARRAY; JSONExtract: JSON_EXTRACT_PATH;
JSONExtractScalar: JSON_EXTRACT_STRING; JarowinklerSimilarity: JARO_WINKLER_SIMILARITY; Levenshtein: EDITDIST3;
Localtimestamp: CURRENT_LOCALTIMESTAMP; ParseJSON: JSON; PercentileCont: QUANTILE_CONT; PercentileDisc:
QUANTILE_DISC; RegexpLike: REGEXP_MATCHES; RegexpSplit: STRING_SPLIT_REGEX STR_SPLIT_REGEX; SHA2: SHA256; Split:
STRING_SPLIT STRING_TO_ARRAY STR_SPLIT; StrToTime: STRPTIME; Struct: STRUCT_PACK; TimeFromParts: MAKE_TIME;
TimeToStr: STRFTIME; TimeToUnix: EPOCH; TimestampTrunc: DATETRUNC DATE_TRUNC; Transform: LIST_TRANSFORM; Unhex:
FROM_HEX; UnixToTime: EPOCH_MS MAKE_TIMESTAMP TO_TIMESTAMP
`,
  postgres: `
BitwiseAndAgg: BIT_AND; BitwiseOrAgg: BIT_OR; BitwiseXorAgg: BIT_XOR; CurrentTimestamp: NOW; CurrentVersion:
VERSION; ExplodingGenerateSeries: GENERATE_SERIES; Extract: DATE_PART; JSONArrayAgg: JSON_AGG; JSONBObjectAgg:
JSONB_OBJECT_AGG; JSONExtract: JSON_EXTRACT_PATH; JSONObjectAgg: JSON_OBJECT_AGG; JSONValue: JSON_VALUE;
Levenshtein: LEVENSHTEIN_LESS_EQUAL; SHA2Digest: SHA256 SHA384 SHA512; StrToDate: TO_DATE; TimeFromParts:
MAKE_TIME; TimeToStr: TO_CHAR; TimestampFromParts: MAKE_TIMESTAMP; TimestampTrunc: DATE_TRUNC; Trim: BTRIM;
UnixToTime: TO_TIMESTAMP; Variadic: VARIADIC
`,
  mysql: `
Anonymous: VALUES; BitwiseAndAgg: BIT_AND; BitwiseCount: BIT_COUNT; BitwiseOrAgg: BIT_OR; BitwiseXorAgg:
BIT_XOR; ConvertTimezone: CONVERT_TZ; CurrentDate: CURDATE; CurrentSchema: DATABASE SCHEMA; CurrentTime:
CURTIME; CurrentVersion: VERSION; JSONValue: JSON_VALUE; Ln: LOG; NumberToStr: FORMAT; StddevPop: STD STDDEV;
TimeFromParts: MAKETIME; TimeToStr: DATE_FORMAT MONTHNAME; TimestampAdd: TIMESTAMPADD; TsOrDsToDate: DATE;
UnixToTime: FROM_UNIXTIME; VariancePop: VARIANCE
`,
  trino: `
AnyValue: ARBITRARY; ApproxQuantile: APPROX_PERCENTILE; ArrayContains: CONTAINS; ArraySize: CARDINALITY;
ArraySlice: SLICE; ArrayUniqueAgg: SET_AGG; BitwiseAnd: BITWISE_AND; BitwiseNot: BITWISE_NOT; BitwiseOr:
BITWISE_OR; BitwiseXor: BITWISE_XOR; CurrentTimestamp: NOW; CurrentVersion: VERSION; DayOfWeekIso: DAY_OF_WEEK
DOW; DayOfYear: DOY; Decode: FROM_UTF8; Encode: TO_UTF8; GenerateSeries: SEQUENCE; GroupConcat: LISTAGG;
JSONExtract: JSON_QUERY; JSONValue: JSON_VALUE; Levenshtein: LEVENSHTEIN_DISTANCE; MD5Digest: MD5; SHA2Digest:
SHA256 SHA512; StrToMap: SPLIT_TO_MAP; StrToTime: DATE_PARSE; TimeToStr: DATE_FORMAT TO_CHAR; TimeToUnix:
TO_UNIXTIME; TimestampTrunc: DATE_TRUNC; Unhex: FROM_HEX; UnixToTime: FROM_UNIXTIME; WeekOfYear: WEEK
`,
  snowflake: `
Anonymous: PREDICT; ApproxQuantile: APPROX_PERCENTILE; Array: ARRAY_CONSTRUCT; ArrayOverlaps: ARRAYS_OVERLAP;
BitwiseAnd: BITAND BIT_AND; BitwiseAndAgg: BITANDAGG BITAND_AGG BIT_ANDAGG BIT_AND_AGG; BitwiseLeftShift:
BITSHIFTLEFT BIT_SHIFTLEFT; BitwiseNot: BITNOT BIT_NOT; BitwiseOr: BITOR BIT_OR; BitwiseOrAgg: BITORAGG
BITOR_AGG BIT_ORAGG BIT_OR_AGG; BitwiseRightShift: BITSHIFTRIGHT BIT_SHIFTRIGHT; BitwiseXor: BITXOR BIT_XOR;
BitwiseXorAgg: BITXORAGG BITXOR_AGG BIT_XORAGG BIT_XOR_AGG; ByteLength: OCTET_LENGTH; CosineDistance:
VECTOR_COSINE_SIMILARITY; CurrentTimestamp: GETDATE LOCALTIMESTAMP SYSDATE SYSTIMESTAMP; DateAdd: DATEADD
TIMESTAMPADD; DateDiff: TIMEDIFF TIMESTAMPDIFF; DayOfWeekIso: DAYOFWEEKISO; Decrypt: TRY_DECRYPT; DecryptRaw:
TRY_DECRYPT_RAW; DirectoryStage: DIRECTORY; DotProduct: VECTOR_INNER_PRODUCT; DynamicIdentifier: IDENTIFIER;
EuclideanDistance: VECTOR_L2_DISTANCE; Explode: FLATTEN; Extract: DATE_PART; Flatten: ARRAY_FLATTEN;
GenerateSeries: ARRAY_GENERATE_RANGE; GetExtract: GET; Greatest: GREATEST_IGNORE_NULLS; GroupConcat: LISTAGG;
Hex: HEX_ENCODE; ILike: ILIKE; If: IFF; JSONExtract: GET_PATH; JSONFormat: TO_JSON; JSONKeys: OBJECT_KEYS;
JSONObject: OBJECT_CONSTRUCT_KEEP_NULL; Least: LEAST_IGNORE_NULLS; Levenshtein: EDITDISTANCE; Localtime:
CURRENT_TIME; MD5: MD5_HEX; MD5Digest: MD5_BINARY; MD5NumberLower64: MD5_NUMBER_LOWER64; MD5NumberUpper64:
MD5_NUMBER_UPPER64; ManhattanDistance: VECTOR_L1_DISTANCE; ParseJSON: TRY_PARSE_JSON; RegexpExtract:
REGEXP_SUBSTR; RegexpExtractAll: REGEXP_SUBSTR_ALL; RegexpLike: RLIKE; SHA: SHA1_HEX; SHA1Digest: SHA1_BINARY;
SHA2: SHA2_HEX; SHA2Digest: SHA2_BINARY; SemanticView: SEMANTIC_VIEW; Skewness: SKEW; Stddev: STDDEV_SAMP;
Struct: OBJECT_CONSTRUCT; TimeAdd: TIMEADD; TimestampFromParts: TIMESTAMPNTZFROMPARTS TIMESTAMP_NTZ_FROM_PARTS;
TimestampTrunc: DATE_TRUNC; ToBinary: TRY_TO_BINARY; ToBoolean: TRY_TO_BOOLEAN; ToChar: TO_VARCHAR; ToDouble:
TRY_TO_DOUBLE; ToFile: TRY_TO_FILE; ToNumber: TO_DECIMAL TO_NUMERIC TRY_TO_DECIMAL TRY_TO_NUMBER TRY_TO_NUMERIC;
TsOrDsToDate: DATE TO_DATE TRY_TO_DATE; TsOrDsToTime: TO_TIME TRY_TO_TIME; Unhex: HEX_DECODE_BINARY; Week:
WEEKOFYEAR; WeekOfYear: WEEKISO; Xor: BOOLXOR
`,
  bigquery: `
AIEmbed: EMBED; AIForecast: FORECAST; AIGenerate: GENERATE; AISimilarity: SIMILARITY; Anonymous: SEARCH VALUES;
ApproxTopK: APPROX_TOP_COUNT; BitwiseAndAgg: BIT_AND; BitwiseCount: BIT_COUNT; BitwiseOrAgg: BIT_OR;
BitwiseXorAgg: BIT_XOR; ByteLength: OCTET_LENGTH; Contains: CONTAINS_SUBSTR; GenerateEmbedding:
GENERATE_TEXT_EMBEDDING; GenerateSeries: GENERATE_ARRAY; IntDiv: DIV; JSONArray: JSON_ARRAY; JSONBool: BOOL;
JSONExtract: JSON_QUERY; JSONExtractArray: JSON_QUERY_ARRAY; JSONExtractScalar: JSON_VALUE; JSONFormat: TO_JSON
TO_JSON_STRING; JSONKeysAtDepth: JSON_KEYS; JSONObject: JSON_OBJECTAGG; JSONValueArray:
JSON_EXTRACT_STRING_ARRAY JSON_VALUE_ARRAY; Levenshtein: EDIT_DISTANCE; Ln: LOG; LowerHex: HEX TO_HEX;
MD5Digest: MD5; Normalize: NORMALIZE_AND_CASEFOLD; RegexpExtract: REGEXP_SUBSTR; RegexpLike: REGEXP_CONTAINS;
SHA1Digest: SHA1; SHA2Digest: SHA256 SHA512; StrToDate: PARSE_DATE; StrToTime: PARSE_TIMESTAMP; TimeToStr:
FORMAT_DATE FORMAT_DATETIME FORMAT_TIME FORMAT_TIMESTAMP; TsOrDsToDatetime: DATETIME; TsOrDsToTime: TIME; Unhex:
FROM_HEX; UnixToTime: TIMESTAMP_MICROS TIMESTAMP_MILLIS TIMESTAMP_SECONDS; WeekStart: WEEK
`,
};

const COMMON_TYPES = read(COMMON);

const TYPES: ReadonlyMap<string, ReadonlyMap<string, NodeType>> = new Map(
  Object.entries(DIFFERENT).map(([dialect, text]) => [dialect, new Map([...COMMON_TYPES, ...read(text)])]),
);

function read(text: string): ReadonlyMap<string, NodeType> {
  const pairs: [string, NodeType][] = [];
  for (const line of text.trim().split(/;\s*/)) {
    const [type, names] = line.split(/:\s*/);
    for (const name of (names ?? '').split(/\s+/)) pairs.push([name, type ?? 'Anonymous']);
  }
  return new Map(pairs);
}

/** The type of the node for a call of `name` (upper case): `functionType('SUM', 'sqlite')` → `Sum`. */
export function functionType(name: string, dialect: DialectName): NodeType {
  return TYPES.get(dialect)?.get(name) ?? 'Anonymous';
}
