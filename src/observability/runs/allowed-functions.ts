/**
 * The functions custom SQL may call, by dialect. This is an allowlist because a list of dangerous functions would never be complete: every
 * server has functions that run text as SQL, read files, open connections, wait, take locks or change settings, and each version adds more.
 * None of the listed functions does any of that in the dialects it is listed for.
 */
const splitNames = (text: string): readonly string[] => text.trim().split(/\s+/)

const COMMON_FUNCTIONS = splitNames(`
  count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp median mode any_value
  regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
  percentile_cont percentile_disc approx_count_distinct approx_distinct bool_and bool_or every bit_and bit_or bit_xor
  string_agg array_agg listagg group_concat
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value grouping grouping_id
  abs ceil ceiling floor round trunc truncate sign sqrt cbrt exp ln log log2 log10 power pow mod div pi degrees radians
  sin cos tan asin acos atan atan2 sinh cosh tanh cot greatest least random rand width_bucket factorial gcd lcm
  coalesce nullif ifnull nvl nvl2 isnull if iff iif decode zeroifnull nullifzero nullif_zero
  cast try_cast safe_cast convert try_convert to_number to_char to_date to_timestamp to_varchar to_decimal to_double to_boolean
  lower upper initcap length char_length character_length octet_length bit_length len trim ltrim rtrim btrim lpad rpad left right
  substr substring substring_index position strpos instr locate charindex replace translate reverse repeat concat concat_ws split split_part
  starts_with startswith ends_with endswith contains contains_substr like ascii chr char unicode overlay quote_literal soundex
  regexp regexp_like regexp_count regexp_extract regexp_extract_all regexp_instr regexp_matches regexp_match regexp_replace regexp_substr
  regexp_contains regexp_split_to_array regexp_split_to_table regexp_full_match
  md5 sha1 sha2 sha256 sha512 crc32 hash farm_fingerprint hex unhex encode to_hex to_base64
  now current_date current_time current_timestamp localtime localtimestamp getdate sysdate utc_timestamp utc_date utc_time curdate curtime
  transaction_timestamp statement_timestamp clock_timestamp today
  date time datetime timestamp timestamptz year quarter month week day dayofweek dayofmonth dayofyear weekofyear weekday dayname monthname
  hour minute second millisecond microsecond last_day extract date_part datepart date_trunc datetrunc trunc_date age
  date_add date_sub date_diff dateadd datediff datesub adddate subdate addtime subtime timediff timestampadd timestampdiff
  timestamp_add timestamp_sub timestamp_diff timestamp_trunc datetime_add datetime_sub datetime_diff datetime_trunc time_add time_sub time_diff
  time_trunc make_date make_time make_timestamp make_timestamptz make_interval justify_days justify_hours justify_interval date_bin time_bucket
  add_months months_between next_day date_format time_format str_to_date parse_date parse_timestamp parse_datetime format_date format_timestamp
  from_unixtime unix_timestamp to_unixtime epoch epoch_ms unixepoch julianday strftime from_iso8601_timestamp from_iso8601_date to_iso8601
  at_timezone convert_timezone timezone isfinite
  json_extract json_extract_scalar json_extract_string json_extract_path json_extract_path_text json_value json_query json_exists json_array_length
  json_length json_type json_valid json_object json_array json_unquote json_each json_each_text json_array_elements json_array_elements_text
  json_object_keys json_build_object json_build_array json_agg json_object_agg json_arrayagg json_objectagg json_typeof
  array_length cardinality array_position array_contains array_distinct array_join array_to_string string_to_array array_size array_max array_min
  array_sort array_append array_concat element_at sequence generate_series generate_array generate_date_array unnest explode posexplode
  flatten split_to_table
  varchar nvarchar nchar character text string decimal numeric number int integer bigint smallint tinyint float double real boolean bool binary
  varbinary bit bytes int64 float64 interval signed unsigned datetime2
`)

const POSTGRES = splitNames(`
  to_json to_jsonb row_to_json array_to_json jsonb_each jsonb_each_text jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_extract_path jsonb_extract_path_text jsonb_object_keys jsonb_build_object jsonb_build_array jsonb_agg jsonb_object_agg jsonb_typeof
  jsonb_path_exists jsonb_path_query jsonb_path_query_first jsonb_path_query_array jsonb_strip_nulls json_strip_nulls
  array_upper array_lower array_ndims array_dims array_remove array_replace array_cat array_prepend array_positions trim_array array_fill
  num_nulls num_nonnulls scale min_scale trim_scale random_normal string_to_table unistr normalize parse_ident quote_nullable
  bit_count get_bit get_byte generate_subscripts range_agg isempty lower_inc upper_inc lower_inf upper_inf range_merge
  int4range int8range numrange daterange tsrange tstzrange
  inet_same_family host family masklen netmask network broadcast hostmask
  to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank
  int2 int4 int8 float4 float8 uuid gen_random_uuid sha224 sha384 convert_from
`)

const MYSQL = splitNames(`
  field find_in_set elt insert export_set format mid ord space strcmp conv bin oct inet_aton inet_ntoa is_ipv4 is_ipv6 to_days from_days
  to_seconds sec_to_time time_to_sec period_add period_diff yearweek makedate maketime std json_contains json_contains_path json_keys
  json_search json_depth json_overlaps json_merge_patch json_merge_preserve json_set bit_count uuid_to_bin bin_to_uuid is_uuid json_table values
  columns
`)

const SQLITE =
  splitNames(`  total typeof glob printf format zeroblob likely unlikely likelihood json_tree json_group_array json_group_object
  json_patch json_quote json_remove json_set json_replace json_insert jsonb`)

const DUCKDB = splitNames(`
  list list_value list_contains list_distinct list_sort list_aggregate list_sum list_avg list_min list_max list_count list_transform list_filter
  list_reduce list_unique struct_pack struct_extract map map_keys map_values map_extract range arg_min arg_max argmin argmax min_by max_by
  quantile quantile_cont quantile_disc approx_quantile mad histogram entropy kurtosis skewness favg fsum product first last arbitrary
  string_split str_split string_split_regex prefix suffix jaccard levenshtein damerau_levenshtein hamming jaro_similarity jaro_winkler_similarity
  strptime try_strptime epoch_us epoch_ns make_timestamp_ms to_days to_hours to_minutes to_seconds to_months to_years century decade
  isnan isinf even signbit xor typeof columns count_if countif bitstring_agg list_zip array_value row struct
`)

const SPARK = splitNames(`
  collect_list collect_set count_if countif percentile percentile_approx approx_percentile max_by min_by first last some kurtosis skewness
  aggregate filter exists forall transform_values transform_keys map_keys map_values map_filter map_from_arrays map_from_entries map
  array array_except array_intersect array_union array_remove array_repeat arrays_overlap arrays_zip size slice sort_array shuffle
  explode_outer posexplode_outer inline inline_outer stack get_json_object from_json to_json json_tuple schema_of_json named_struct struct
  isnotnull isnan nanvl bround conv pmod shiftleft shiftright rint expm1 log1p hypot negative positive signum e
  from_utc_timestamp to_utc_timestamp timestamp_seconds timestamp_millis timestamp_micros date_from_unix_date unix_date unix_seconds unix_millis
  make_ymd_interval make_dt_interval window session_window xxhash64 sentences levenshtein format_number format_string printf base64 unbase64
  find_in_set elt typeof try_add try_divide try_multiply try_subtract try_sum try_avg try_to_number try_to_timestamp uuid mean equal_null
`)

const SNOWFLAKE = splitNames(`
  array_construct array_compact array_slice array_intersection arrays_overlap array_cat array_flatten object_construct object_keys
  object_agg object_delete object_insert object_pick get get_path parse_json try_parse_json check_json to_json to_variant to_array to_object
  to_time to_timestamp_ntz to_timestamp_ltz to_timestamp_tz try_to_date try_to_timestamp try_to_number try_to_decimal try_to_double
  try_to_boolean try_to_time to_binary typeof is_null_value is_integer is_decimal is_varchar is_array is_object is_boolean is_double is_date
  date_from_parts time_from_parts timestamp_from_parts datefromparts timestampfromparts time_slice previous_day
  table strtok strtok_to_array strtok_split_to_table editdistance jarowinkler_similarity rlike ilike like_any regexp_substr_all insert
  booland boolor boolxor booland_agg boolor_agg boolxor_agg bitand bitor bitxor bitnot bitand_agg bitor_agg hash_agg minhash
  approx_percentile approx_top_k approximate_similarity count_if max_by min_by kurtosis skew ratio_to_report conditional_true_event
  conditional_change_event square div0 div0null uniform normal zipf seq1 seq2 seq4 seq8 generator haversine regr_valx regr_valy equal_null
  md5_hex sha1_hex sha2_hex base64_encode base64_decode_string hex_encode hex_decode_string collate collation parse_ip parse_url
`)

const BIGQUERY = splitNames(`
  countif logical_and logical_or approx_quantiles approx_top_count approx_top_sum array_concat_agg array_reverse array_first array_last
  safe_divide safe_add safe_subtract safe_multiply safe_negate ieee_divide is_nan is_inf range_bucket
  date_from_unix_date unix_date unix_seconds unix_millis unix_micros timestamp_seconds timestamp_millis timestamp_micros current_datetime
  format format_datetime format_time parse_time parse_json parse_numeric parse_bignumeric to_json_string to_json json_query_array json_value_array
  json_extract_array json_extract_string_array lax_int64 lax_float64 lax_string lax_bool
  byte_length code_points_to_string to_code_points normalize normalize_and_casefold safe_convert_bytes_to_string from_hex from_base64
  generate_timestamp_array generate_uuid bit_count array struct offset safe_offset ordinal safe_ordinal bignumeric min_by max_by
`)

const TRINO = splitNames(`
  approx_percentile approx_set approx_most_frequent arbitrary checksum count_if max_by min_by histogram map_agg multimap_agg geometric_mean
  kurtosis skewness entropy bitwise_and bitwise_or bitwise_xor bitwise_not is_nan is_finite is_infinite infinity nan
  array_except array_intersect array_union array_remove arrays_overlap any_match all_match none_match filter reduce transform_values transform_keys
  zip zip_with slice shuffle combinations ngrams map map_keys map_values map_entries map_filter map_concat row table
  json_parse json_format json_array_get json_array_contains json_size date_parse format_datetime from_unixtime_nanos
  parse_duration human_readable_seconds with_timezone timezone_hour timezone_minute day_of_week day_of_month day_of_year week_of_year year_of_week
  doy dow yow levenshtein_distance hamming_distance codepoint split_to_map split_to_multimap url_extract_host url_extract_path
  url_extract_parameter url_extract_query typeof try from_hex from_base64 xxhash64 format
`)

const CLICKHOUSE = splitNames(`
  any anylast anyheavy argmin argmax uniq uniqexact uniqcombined uniqcombined64 uniqhll12 uniqthetasketch quantile quantiles quantileexact
  quantilesexact quantiletdigest quantilestdigest quantiletiming quantiledeterministic quantileexactweighted medianexact grouparray groupuniqarray
  groupbitand groupbitor groupbitxor groupbitmap topk topkweighted sumwithoverflow summap minmap maxmap avgweighted stddevpop stddevsamp varpop
  varsamp covarpop covarsamp skewpop skewsamp kurtpop kurtsamp entropy simplelinearregression boundingratio deltasum retention windowfunnel
  sequencematch sequencecount exponentialmovingaverage countsubstrings
  todate todate32 todatetime todatetime64 todateornull todateorzero todatetimeornull todatetimeorzero touint8 touint16 touint32 touint64 toint8 toint16
  toint32 toint64 toint128 toint256 tofloat32 tofloat64 touint8ornull touint16ornull touint32ornull touint64ornull toint8ornull toint16ornull
  toint32ornull toint64ornull tofloat32ornull tofloat64ornull toint32orzero toint64orzero tofloat64orzero todecimal32 todecimal64 todecimal128
  todecimal256 tostring tofixedstring touuid tobool accuratecast accuratecastornull reinterpretasstring totypename
  toyear toquarter tomonth tohour tominute tosecond todayofyear todayofmonth todayofweek toisoweek toisoyear toweek toyearweek tounixtimestamp
  tostartofyear tostartofquarter tostartofmonth tostartofweek tostartofday tostartofhour tostartofminute tostartofsecond tostartofinterval
  tostartoffiveminutes tostartoftenminutes tostartoffifteenminutes tomonday toyyyymm toyyyymmdd toyyyymmddhhmmss totimezone timezoneof
  torelativeyearnum torelativemonthnum torelativeweeknum torelativedaynum torelativehournum yesterday addyears addmonths addweeks adddays addhours
  addminutes addseconds addquarters subtractyears subtractmonths subtractweeks subtractdays subtracthours subtractminutes subtractseconds
  formatdatetime parsedatetime parsedatetimebesteffort parsedatetimebesteffortornull parsedatetimebesteffortorzero timeslot timeslots
  multiif assumenotnull tonullable isnotnull isnan isinfinite iszeroornull
  empty notempty lengthutf8 lowerutf8 upperutf8 substringutf8 reverseutf8 concatassumeinjective replaceone replaceall replaceregexpone
  replaceregexpall match multimatchany extractall extractallgroups notlike ilike multisearchany positioncaseinsensitive
  positionutf8 hassubstr hastoken splitbychar splitbystring splitbyregexp alphatokens arraystringconcat appendtrailingcharifabsent
  trimleft trimright trimboth format base64encode base64decode cityhash64 siphash64 xxhash32 xxhash64 murmurhash2_64 murmurhash3_64 intdiv
  intdivorzero modulo plus minus multiply divide negate equals notequals less greater lessorequals greaterorequals and or xor not
  roundtoexp2 rounddown roundage roundduration exp2 exp10 erf lgamma tgamma sigmoid bitand bitor bitxor bitnot bitshiftleft bitshiftright bitcount
  array arrayconcat arrayelement has hasall hasany indexof countequal arrayenumerate arrayenumerateuniq arraypopback arraypopfront arraypushback
  arraypushfront arrayslice arraysort arrayreversesort arrayuniq arraydistinct arrayintersect arrayreduce arrayreverse arrayflatten arraycompact
  arrayzip arraymap arrayfilter arrayexists arrayall arrayfirst arraycount arraysum arrayavg arraymin arraymax arraycumsum arraydifference
  arrayjoin emptyarraytosingle range tuple tupleelement map mapkeys mapvalues mapcontains
  jsonextract jsonextractstring jsonextractint jsonextractuint jsonextractfloat jsonextractbool jsonextractraw jsonextractarrayraw jsonhas jsonlength
  jsontype simplejsonextractstring simplejsonextractint simplejsonextractfloat simplejsonhas visitparamextractstring visitparamextractint
  domain domainwithoutwww topleveldomain protocol path extracturlparameter cutquerystring ipv4numtostring ipv4stringtonum
  runningdifference neighbor runningaccumulate rownumberinallblocks lagInFrame leadInFrame numbers zeros
  nullable lowcardinality fixedstring decimal32 decimal64 decimal128 datetime64 enum8 enum16 date32
`).map((name) => name.toLowerCase())

/** ClickHouse combinators can be appended to each aggregate: `sumIf`, `uniqExactIf`, `avgOrNull`. */
const COMBINATOR_SUFFIX = /(?:if|array|ornull|ordefault|distinct|foreach|orfill)$/

const LISTS: Readonly<Record<string, readonly string[]>> = {
  postgres: POSTGRES,
  redshift: [
    ...POSTGRES,
    ...splitNames('approximate ratio_to_report strtol datediff_big json_parse is_valid_json is_valid_json_array bpcharcmp texttolatin'),
  ],
  mysql: MYSQL,
  sqlite: SQLITE,
  duckdb: DUCKDB,
  databricks: SPARK,
  snowflake: SNOWFLAKE,
  bigquery: BIGQUERY,
  trino: TRINO,
  clickhouse: CLICKHOUSE,
}

const ALLOWED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(LISTS).map(([dialect, own]) => [dialect, new Set([...COMMON_FUNCTIONS, ...own])]),
)

/** Schema prefixes that refer to built-in functions. */
const OWN_SCHEMA: Readonly<Record<string, string>> = { postgres: 'pg_catalog', redshift: 'pg_catalog', bigquery: 'safe' }

/** `extra` are functions an admin has allowed for the integration, as written in queries. */
export const isFunctionAllowed = (parts: readonly string[], dialect: string, extra: ReadonlySet<string>): boolean => {
  if (extra.has(parts.join('.').toLowerCase())) return true
  const allowed = ALLOWED.get(dialect)
  const name = parts.at(-1)!
  if (!allowed || parts.length > 2 || (parts.length === 2 && parts[0] !== OWN_SCHEMA[dialect])) return false
  if (allowed.has(name)) return true
  if (dialect !== 'clickhouse') return false
  // ClickHouse function names are case-sensitive, but a name in the wrong case refers to no function, so comparing in lower case is safe.
  return (
    allowed.has(name.toLowerCase()) ||
    (COMBINATOR_SUFFIX.test(name.toLowerCase()) && allowed.has(name.toLowerCase().replace(COMBINATOR_SUFFIX, '')))
  )
}

/** Parses names separated by commas or whitespace. */
export const parseFunctionNames = (text: unknown): ReadonlySet<string> =>
  new Set(
    String(text ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ''),
  )
