/** What a reasoner does for schema linking: the language model, the grounded engine, or SQL that others wrote. */
import type { Evidence, EvidenceLevel } from '../../catalog/index.ts';
import type { SharedColumn, SharedTable, SharedText, SharingPolicy } from '../../catalog/share/index.ts';
import type { TokenLedger } from '../../model/index.ts';

/** In what two hypotheses may differ (EviLink, section 4). */
export type HypothesisAxis =
  | 'join_route'
  | 'filter_encoding'
  | 'aggregation_grain'
  | 'temporal_interpretation'
  | 'other';

/** One structured way to realise a question in SQL. Names are as the reasoner wrote them: they may not exist. */
export interface LinkHypothesis {
  readonly id: string;
  readonly summary: string;
  readonly differsBy: readonly HypothesisAxis[];
  readonly entities: readonly string[];
  readonly filters: readonly { readonly field: string; readonly condition: string }[];
  readonly joins: readonly { readonly left: string; readonly right: string }[];
  readonly aggregations: readonly { readonly function: string; readonly field: string }[];
  /** How time is read; empty where the question has none. */
  readonly time: string;
  readonly ambiguous: readonly { readonly phrase: string; readonly options: readonly string[] }[];
}

export interface LinkQuestion {
  readonly text: string;
  /** Outside knowledge given with the question. */
  readonly hint?: string;
  /** Notes, definitions and verified pairs that were found: written by people, shown as data. */
  readonly knowledge: readonly string[];
  readonly ledger: TokenLedger;
  readonly signal?: AbortSignal;
}

/** A part of the schema at one evidence level. Families of equal tables stand there once. */
export interface SchemaView {
  readonly level: EvidenceLevel;
  readonly tables: readonly ViewedTable[];
}

export interface ViewedTable {
  readonly table: SharedTable;
  /** Columns in view: all at L0 and L1, some in refinement. */
  readonly columns: readonly SharedColumn[];
  readonly family?: {
    readonly pattern: string;
    readonly total: number;
    readonly first: string;
    readonly last: string;
  };
  /** What retrieval found, by item id: `the value “Berlin” occurs`. Hints for the reader, never votes. */
  readonly notes: ReadonlyMap<string, readonly SharedText[]>;
}

/** A schema cut to one call: likeliest tables first, of wide ones the likeliest columns. */
export interface SchemaOverview {
  readonly tables: readonly OverviewTable[];
  /** Tables of which only the name has room. */
  readonly named: readonly ViewedTable[];
}

export interface OverviewTable extends ViewedTable {
  /** Columns that had no room. */
  readonly hiddenColumns: number;
  /** Columns shown with the first words of their description. */
  readonly described: ReadonlySet<string>;
}

/** A hypothesis with what its query needs, from one call. */
export interface GroundedReading {
  readonly hypothesis: LinkHypothesis;
  readonly tables: readonly NamedTable[];
  readonly fields: readonly NamedField[];
  /** Tables of which more columns have to be seen. */
  readonly unseen: readonly string[];
}

export interface NamedTable {
  /** As the reasoner wrote it. */
  readonly name: string;
  readonly why?: string;
}

export interface NamedField {
  readonly table: string;
  readonly column: string;
  readonly why?: string;
}

/** A failing call of one path drops that path; `linking.no-path` is thrown when none is left. */
export interface LinkReasoner {
  readonly kind: 'grounded' | 'model' | 'replay';
  /** What it may be shown; absent: everything, as nothing leaves this process or nobody minds. */
  readonly sharing?: SharingPolicy;
  /** At most `most`, surest first, before validation. */
  hypothesise(question: LinkQuestion, view: SchemaView, most: number): Promise<readonly LinkHypothesis[]>;
  selectTables(
    question: LinkQuestion,
    hypothesis: LinkHypothesis,
    view: SchemaView,
  ): Promise<readonly NamedTable[]>;
  selectFields(
    question: LinkQuestion,
    hypothesis: LinkHypothesis,
    view: SchemaView,
  ): Promise<readonly NamedField[]>;
  /** Hypotheses and what each needs in one call; absent: whoever can think each step for nothing does. At most `most`, surest first. */
  readTogether?(
    question: LinkQuestion,
    overview: SchemaOverview,
    most: number,
  ): Promise<readonly GroundedReading[]>;
  /** The tool calls of one turn; none: it has finished. */
  refine(question: LinkQuestion, view: RefineView): Promise<readonly RefineCall[]>;
}

/** A reasoner that can tell all readings at once. */
export type JointReasoner = LinkReasoner & Required<Pick<LinkReasoner, 'readTogether'>>;

/** The six tools of refinement; the first four only read. */
export type RefineTool =
  | 'list_tables'
  | 'list_columns'
  | 'get_field_stats'
  | 'probe_sql'
  | 'keep'
  | 'discard';

export interface RefineCall {
  /** As the model numbers it; made up by reasoners without one. */
  readonly id: string;
  /** A `RefineTool`, if the reasoner keeps to them. */
  readonly tool: string;
  /** Parsed JSON or the raw text; validated before anything is done. */
  readonly arguments: unknown;
}

export interface RefineResult {
  readonly call: RefineCall;
  /** What the reasoner is told. */
  readonly text: string;
}

/** What the reasoner of a turn sees; nothing of it changes while it thinks. */
export interface RefineView {
  /** From 1. */
  readonly turn: number;
  readonly turnsLeft: number;
  readonly hypotheses: readonly LinkHypothesis[];
  /** Item ids that are settled and cannot be touched. */
  readonly required: readonly string[];
  readonly uncertain: readonly UncertainItem[];
  /** Earlier turns, in order. */
  readonly turns: readonly (readonly RefineResult[])[];
}

export interface UncertainItem {
  /** Canonical id of the catalog. */
  readonly id: string;
  readonly kind: 'table' | 'field';
  /** Paths that chose it, of how many. */
  readonly support: number;
  readonly paths: number;
  /** (support + 1) / (paths + 2). */
  readonly credibility: number;
  readonly evidence: readonly Evidence[];
  readonly notes: readonly SharedText[];
}
