/** What a reading statement may call and read, as data: one record for each dialect. */
export interface ReadingRules {
  /** Scalar, aggregate and window functions that only compute. All others are refused. */
  readonly functions: ReadonlySet<string>;
  /** Functions that may stand in FROM. */
  readonly tableFunctions: ReadonlySet<string>;
  /** Why a well known function is not in the lists, for the message. */
  readonly refused: Readonly<Record<string, string>>;
  /** Functions that are refused but for these calls: so many arguments, the first a number in the text of at most `most`. */
  readonly calledOnlyWith?: Readonly<Record<string, { readonly arguments: number; readonly most?: number }>>;
  /** Tables of the engine itself: what they show is not the user's data. */
  readonly systemTable: RegExp;
  readonly systemSchemas: ReadonlySet<string>;
  /** A table name that the engine would take for the path of a file. */
  readonly fileTable: RegExp | undefined;
  /** Words that begin a statement where FROM has brackets, unless quoted: `FROM (SUMMARIZE t)` reads t. */
  readonly statementWords: ReadonlySet<string>;
  /** Words that are calls where FROM has a name, unless quoted: `FROM current_user` shows who is logged in. */
  readonly tableWords?: ReadonlySet<string>;
  /** `FROM 'name'` names a table of the user, as in SQLite alone. */
  readonly textNamesTable?: boolean;
  /** A comment of this form is an order to the server. */
  readonly refusedComment?: RegExp;
  /** Types whose values name what stands in the engine's own tables. */
  readonly refusedTypes?: RegExp;
  /** How a quoted name must be spelled to mean a function of the engine; absent where any letters do. */
  readonly quotedCalls?: 'lower' | 'upper';
  /** `x IN t` reads the table t. */
  readonly inNameIsTable?: true;
  /** `x.f` calls f where x has no column of that name. */
  readonly attributesAreCalls?: true;
  /** Types that only compute, where a cast may run code of the type; all others must be of the schema. */
  readonly types?: ReadonlySet<string>;
  /** Signs of operators that only compute, where people can make their own; all others are refused. */
  readonly operators?: ReadonlySet<string>;
  /** Names behind a dot that change state though they look like columns. */
  readonly refusedColumns?: ReadonlySet<string>;
  /** Text literals whose escapes we do not read as the engine does. */
  readonly riskyText?: RegExp;
  /** A text behind `E'…'` is its continuation. */
  readonly continuesEscapes?: boolean;
  /** Functions whose first argument is a format, and the widest result that comes out as it says. */
  readonly widestFormat?: { readonly functions: ReadonlySet<string>; readonly characters: number };
}

/** The names of a list written over several lines. */
export function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** One reason for each name of the list. */
export function refusals(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([why, list]) => [...names(list)].map((name) => [name, why] as const)),
  );
}
