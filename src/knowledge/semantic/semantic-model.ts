/**
 * The semantic model: the business words of a database and what they stand for. Files are Open Semantic
 * Interchange YAML with ours under `custom_extensions`; `read-semantic-model.ts` turns them into this.
 * Names of tables and columns are canonical (lower case). SQL fragments name columns as `table.column`.
 */
export interface SemanticModel {
  readonly name: string;
  readonly description?: string;
  /** What its author asks of whoever writes SQL. */
  readonly instructions?: string;
  readonly datasets: readonly Dataset[];
  /** Columns that are described and take part in no question by themselves. */
  readonly fields?: readonly DescribedField[];
  readonly relationships: readonly Relationship[];
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly Dimension[];
  readonly valueMappings: readonly ValueMapping[];
  readonly timeRules: TimeRules;
  /** Words of the trade: `NEV` → `new energy vehicle`. Replaced in the question before anything else. */
  readonly jargon: readonly JargonWord[];
  /** What a question back about a phrase was answered with: the label of the option that is taken unasked. */
  readonly answers: readonly { readonly phrase: string; readonly take: string }[];
  /** Words that name nothing this database can measure; they make a clear refusal. */
  readonly outOfScope: readonly { readonly term: string; readonly why: string }[];
  /** Words that must be asked about, with the readings they may have. */
  readonly vagueTerms: readonly VagueTerm[];
}

export interface Dataset {
  readonly name: string;
  /** Physical table. */
  readonly table: string;
  /** The table with the schema, and the database, that the file names before it; absent where it names none. */
  readonly source?: string;
  readonly synonyms: readonly string[];
  readonly description?: string;
  readonly primaryKey: readonly string[];
  /** Added to every query that reads the table (soft delete), as SQL over `table.column`. */
  readonly defaultFilter?: { readonly sql: string; readonly text: string };
  /** Column that answers "when" for a row of this dataset. */
  readonly timeColumn?: string;
  /** Column that names a row for people. */
  readonly displayColumn?: string;
  /**
   * The rows a caller may see, as SQL over the table's own columns; `:tenant` is a property of the session. Part of
   * the access policy, see `accessPolicyOf`.
   */
  readonly rowFilter?: string;
  /** What a caller sees in place of a column, as SQL over the table's own columns; keys are `table.column`. */
  readonly columnMasks?: Readonly<Record<string, string>>;
  /** The view may be read although tables behind it are restricted: its author has seen to it. */
  readonly isTrustedView?: boolean;
}

/** Many rows of `from` belong to one row of `to`. */
export interface Relationship {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
  /** Words that pick this link where several join the same tables ("sales area"). */
  readonly role?: string;
  readonly synonyms: readonly string[];
}

export interface Metric {
  readonly name: string;
  readonly synonyms: readonly string[];
  readonly description?: string;
  /** Table whose rows are aggregated. Absent for a ratio of two metrics. */
  readonly table?: string;
  /** Aggregate over that table only, for example `COUNT(DISTINCT leads.account_id)`. */
  readonly expression?: string;
  /** Names of two other metrics, `numerator / denominator`. */
  readonly ratio?: { readonly numerator: string; readonly denominator: string };
  /** Conditions that belong to the definition. */
  readonly filters: readonly string[];
  /** Dimensions the question must filter or group by, or `follow_up` asks for them. */
  readonly mandatoryDimensions: readonly string[];
  /** `table.column` that a time window applies to. */
  readonly timeColumn?: string;
  /** Conditions added when a dimension is or is not used, for example a level code of targets. */
  readonly conditionalFilters: readonly {
    readonly whenDimensions: readonly string[];
    readonly then: string;
    readonly otherwise: string;
  }[];
  readonly unit?: string;
}

export interface Dimension {
  readonly name: string;
  readonly synonyms: readonly string[];
  readonly description?: string;
  readonly table: string;
  /** `table.column` shown and grouped by. */
  readonly column: string;
  readonly isTime: boolean;
  /** The next level up of the hierarchy: city → province. */
  readonly parent?: string;
  /** For each fact table, the relationship to take when several lead here. */
  readonly via?: Readonly<Record<string, string>>;
}

/** A column with the name and the words that people have for it. */
export interface DescribedField {
  readonly name: string;
  readonly synonyms: readonly string[];
  readonly description?: string;
  readonly table: string;
  /** `table.column` */
  readonly column: string;
}

/** What people call a stored value: `EV` is stored as `2`. */
export interface ValueMapping {
  /** `table.column` */
  readonly column: string;
  readonly value: string | number;
  readonly surface: readonly string[];
}

interface VagueTerm {
  readonly term: string;
  readonly gap: 'time' | 'intent' | 'term' | 'value' | 'metric';
  readonly ask: string;
  /** Words to put in place of the term, two to five. */
  readonly options: readonly string[];
}

export interface TimeRules {
  /** What no time in the question means for a metric. */
  readonly defaultWindow: 'all' | 'current-year';
  /** "last 7 days" and "to date" end yesterday. */
  readonly excludesToday: boolean;
  readonly fiscalYearStartMonth: number;
  readonly weekStart: 'monday' | 'sunday';
  /** A person wrote them down; absent for those that hold where nobody did. */
  readonly isWritten?: true;
}

/** A word of the trade, which stands for its meaning in questions. */
interface JargonWord {
  readonly term: string;
  readonly meaning: string;
  /** For its author alone, until somebody reviews it. */
  readonly isProposed?: true;
}
