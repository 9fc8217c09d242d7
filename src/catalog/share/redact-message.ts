/** Messages of engines and checks without the cells that they quote. */

/** The words engines say by themselves; anything else in a message is a name, a part of the SQL, or a cell. */
const ENGINE_WORDS = new Set(
  `a absent after aggregate aggregated aggregates all allowed already ambiguous an and any appear are argument arguments array as at
  be before between big bigint binder binding boolean both by call can candidate cannot cast casting casts catalog char
  character characters choose clause column columns compare comparison constant contain contains conversion convert
  converted correlated could current data database date datetime decimal did different division divide does doesn domain
  double duplicate each element empty end enough error escape exceeded exceeds exist existing exists expected expects
  explicit expression expressions failed failure field fields find float for format found from function functions group
  has have hint identifier implicit in incompatible incorrect input insensitive int integer interval into invalid is it join json key large
  left length limit line list literal long macro malformed many match matches matching mean misuse mixed more multiple must
  name named near nested no non not null number numeric object of on one only operand operator operators or order out
  overflow parameter parse parser parsing pattern perhaps permission position possible precision qualified query range
  read real record reference referenced references regular relation required requires resolved result return returned
  returns right row rows run runtime schema select set should similar single small smallint specify sqlite
  statement string subquery such supported syntax t table tables take takes term terms text than that the there this time
  timestamp to token too tried try two type types undefined unexpected union unique unknown unrecognized unresolved unsupported
  update use used using valid value values varchar view was were when where which window with within without
  wrong year you your zero zone int2 int4 int8 int16 int32 int64 int128 float4 float8 uint8 uint16 uint32 uint64 hugeint tinyint bool
  uuid blob bytea bytes utf8 utf-8`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const QUOTES = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»/gu;
const WORD = /[\p{L}\p{M}\p{N}_]+(?:[.-][\p{L}\p{M}\p{N}_]+)*/gu;
const PART = /[\p{L}\p{M}\p{N}_]+/gu;
const CUT = '…';

/** Words that the reader has anyway: of the SQL, the schema it was shown, the question. */
export function knownWords(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.toLowerCase().match(PART) ?? []));
}

/**
 * What an engine says, with every word cut that is neither known nor one that engines say by themselves: cells stand
 * in messages with and without quotes. `invalid input syntax for type integer: "x7"` → `… for type integer: "…"`.
 */
export function redactEngineError(message: string, known: ReadonlySet<string>): string {
  return collapse(
    redactQuoted(message, known).replace(WORD, (word) => {
      const parts = word.toLowerCase().match(PART) ?? [];
      return parts.every((part) => known.has(part) || ENGINE_WORDS.has(part)) ? word : CUT;
    }),
  );
}

/** What our own checks say: names stand bare in it, values in quotes. Numbers that nobody wrote are cut as well. */
export function redactQuoted(text: string, known: ReadonlySet<string>): string {
  const isKnown = (part: string): boolean =>
    (part.toLowerCase().match(PART) ?? []).every((word) => known.has(word));
  const cut = text.replace(QUOTES, (quoted) =>
    isKnown(quoted) ? quoted : `${quoted[0] ?? ''}${CUT}${quoted.at(-1) ?? ''}`,
  );
  return cut.replace(/(?<![\p{L}\p{N}_])\p{N}[\p{N}.,:/-]*/gu, (number) => (isKnown(number) ? number : CUT));
}

function collapse(text: string): string {
  return text.replace(/…(?:[\s,.:;-]*…)+/gu, CUT);
}
