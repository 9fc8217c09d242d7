/** How many arguments common functions take, as data: `NAME least-most`, `NAME n`, `NAME least+`. From the engines' manuals. */
import type { DialectName } from '../../sql/dialect.ts';

export interface Arity {
  readonly least: number;
  readonly most: number;
}

const EVERYWHERE = `
count 0+ sum 1 avg 1 total 1 min 1 max 1 median 1 mode 1 stddev 1 stddev_pop 1 stddev_samp 1 variance 1 var_pop 1
var_samp 1 bool_and 1 bool_or 1 every 1 corr 2 covar_pop 2 covar_samp 2 string_agg 1-2 group_concat 1-2 array_agg 1
abs 1 ceil 1 ceiling 1 floor 1 sign 1 sqrt 1 exp 1 ln 1 log 1-2 log10 1 log2 1 pow 2 power 2 mod 2 pi 0 radians 1
degrees 1 sin 1 cos 1 tan 1 asin 1 acos 1 atan 1 atan2 2 round 1-2 trunc 1-2
lower 1 upper 1 length 1 char_length 1 character_length 1 octet_length 1 trim 1-2 ltrim 1-2 rtrim 1-2 replace 3
substr 2-3 substring 2-3 left 2 right 2 repeat 2 reverse 1 lpad 2-3 rpad 2-3 concat 1+ concat_ws 2+ ascii 1 chr 1
initcap 1 position 2 overlay 3-4 split_part 3 translate 3 regexp_replace 3-4
coalesce 1+ nullif 2 ifnull 2 nvl 2 greatest 1+ least 1+ if 3
row_number 0 ntile 1 lag 1-3 lead 1-3 first_value 1 last_value 1 nth_value 2
extract 2 date_part 2 date_trunc 2-3 cast 1-2 try_cast 1-2`;

const DIFFERENT: Readonly<Partial<Record<DialectName, string>>> = {
  sqlite: `
count 0-1 min 1+ max 1+ coalesce 2+ iif 2+ if 2+ instr 2 char 0+ hex 1 unhex 1-2 unicode 1 quote 1 typeof 1 random 0 trunc 1 soundex 1
printf 1+ format 1+ glob 2 like 2-3 likely 1 unlikely 1 likelihood 2 lag 1-3 lead 1-3
date 0+ time 0+ datetime 0+ julianday 0+ unixepoch 0+ strftime 1+ timediff 2
json 1 json_array_length 1-2 json_extract 2+ json_type 1-2 json_valid 1-2 json_group_array 1 json_group_object 2 json_quote 1
percentile 2 percentile_cont 2 percentile_disc 2`,
  duckdb: `
min 1-2 max 1-2 any_value 1 arg_min 2-3 arg_max 2-3 min_by 2-3 max_by 2-3 approx_count_distinct 1 list 1 quantile_cont 2 quantile_disc 2
trunc 1-2 instr 2 strpos 2 contains 2 starts_with 2 ends_with 2 prefix 2 suffix 2 regexp_matches 2-3 regexp_extract 2-4
regexp_replace 3-4 regexp_full_match 2-3 string_split 2 levenshtein 2 printf 1+ format 1+ strlen 1
strftime 2 strptime 2 try_strptime 2 date_diff 3 datediff 3 date_add 2 date_sub 3 datesub 3 make_date 1-3 last_day 1
year 1 month 1 day 1 hour 1 minute 1 second 1 quarter 1 week 1 dayofweek 1 dayofyear 1 weekday 1 isodow 1 monthname 1 dayname 1
epoch 1 epoch_ms 1 now 0 today 0 age 1-2 to_timestamp 1 random 0 gcd 2 lcm 2 factorial 1 cbrt 1`,
  postgres: `
count 0-1 greatest 1+ least 1+ strpos 2 starts_with 2 btrim 1-2 md5 1 to_char 2 to_date 2 to_number 2 to_timestamp 1-2 format 1+
age 1-2 now 0 make_date 3 date_bin 3 justify_days 1 random 0-2 gcd 2 lcm 2 factorial 1 cbrt 1 div 2
regexp_replace 3-6 regexp_match 2-3 regexp_matches 2-3 regexp_like 2-3 regexp_count 2-4 string_to_array 2-3 array_to_string 2-3
string_agg 2 array_length 2 cardinality 1 unnest 1+ json_agg 1 jsonb_agg 1 log 1-2`,
};

const ARITIES = new Map<DialectName, ReadonlyMap<string, Arity>>();

/** What a function of a dialect takes, by its name in lower case; undefined where it is not in the list. */
export function arityOf(name: string, dialect: DialectName): Arity | undefined {
  const known = ARITIES.get(dialect) ?? new Map([...read(EVERYWHERE), ...read(DIFFERENT[dialect] ?? '')]);
  ARITIES.set(dialect, known);
  return known.get(name);
}

function read(text: string): readonly (readonly [name: string, arity: Arity])[] {
  const matches = text.matchAll(/([a-z_]\w*)\s+(\d+)(?:-(\d+)|(\+))?/g);
  return [...matches].map(([, name = '', least = '0', most, isOpen]) => {
    const arity = {
      least: Number(least),
      most: isOpen === undefined ? Number(most ?? least) : Number.POSITIVE_INFINITY,
    };
    return [name, arity] as const;
  });
}
