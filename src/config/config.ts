/** One typed, resolved view of a project. */

import type { EmbeddedSettings } from '../database/embedded/index.ts';
import type { PlanCaps, TableScope } from '../database/index.ts';
import type { QueryLimits } from '../database/interface/database.ts';
import type { AllowedCode } from '../sql/guard/index.ts';
import type { SessionProperties } from '../sql/rewrite/index.ts';

export interface Config {
  /** The project folder, or the current folder when a database is used without a project. */
  readonly root: string;
  /** May hold a secret: shown to people only through `redactUrl`. */
  readonly databaseUrl: string;
  /** Where catalog, indexes and records lie; rebuilt by `candor onboard`. */
  readonly derivedDirectory: string;
  /** True: spans may hold questions, SQL, prompts and replies. */
  readonly traceContent?: boolean;
  readonly semanticsDirectory: string;
  readonly knowledgeDirectory: string;
  readonly examplesDirectory: string;
  /** The part of the database that is read. */
  readonly tables: TableScope;
  /** Whether the engine runs a person's queries as that person. */
  readonly impersonate: boolean;
  readonly testsDirectory: string;
  readonly limits: QueryLimits;
  /** A statement that the engine expects to cost more is not run. */
  readonly planCaps: PlanCaps;
  /** What reading SQLite and DuckDB files may take of the machine. */
  readonly embedded: EmbeddedSettings;
  /** Code of the database's owner that statements may run. */
  readonly allowedCode: AllowedCode;
  readonly profile: ProfileSettings;
  readonly values: ValueSettings;
  readonly search: SearchSettings;
  /** A language model that answers; absent: the built-in engine. */
  readonly model?: ModelSettings;
  /** Who asks, as query logs spell it. */
  readonly user?: string;
  /** `lake`: tables lie in a file that is searched; absent: all of them are in memory. */
  readonly catalog?: 'lake';
  /** Ids of product areas; none: those of the user. */
  readonly areas: readonly string[];
  /** Values for row filters and masks of the semantic model: `:tenant` stands for `sessionProperties.tenant`. */
  readonly sessionProperties: SessionProperties;
  /** Below this probability Candor abstains instead of answering. */
  readonly minProbability: number;
  /** Share of the answers given that may be wrong; absent: no answer is withheld for its risk. */
  readonly targetRisk?: number;
  /** The day that "today" means, YYYY-MM-DD, for data that has stopped growing; absent: the clock's day. */
  readonly today?: string;
  /** Logs that are tables or views of an engine. */
  readonly usageLogs: readonly UsageLogSettings[];
  /** For `candor serve`. */
  readonly server: ServerConfig;
  readonly jobs: JobsConfig;
}

export interface JobsConfig {
  /** Cron lines by kinds of jobs. */
  readonly schedule: Readonly<
    Partial<Record<'onboard' | 'refresh' | 'usage' | 'clusters' | 'drift', string>>
  >;
  /** Query logs; absolute, files and folders. */
  readonly logs: readonly string[];
  /** Whether the database itself is asked for what has run. */
  readonly live: boolean;
}

/** A log that is a table or a view of an engine. Names are as the engine spells them. */
export interface UsageLogSettings {
  /** What is known of its days is kept under it. */
  readonly name: string;
  /** Of the engine that holds it; may hold a secret. */
  readonly url: string;
  /** Rows hold statements, or name tables that were read; or it is the history of a warehouse. */
  readonly kind:
    | 'statements'
    | 'tables'
    | 'snowflake-access-history'
    | 'snowflake-query-history'
    | 'bigquery-jobs';
  /** Outermost name first. */
  readonly table: readonly string[];
  readonly columns?: UsageLogColumns;
}

interface UsageLogColumns {
  readonly user: string;
  /** A timestamp. */
  readonly time: string;
  readonly sql?: string;
  /** A name, with schema and catalog before it where there are such. */
  readonly table?: string;
  /** True where the run ended well. */
  readonly success?: string;
  /** NULL where the run ended well. */
  readonly error?: string;
  /** Where names without a schema are looked up. */
  readonly database?: string;
  readonly schema?: string;
}

export interface ServerConfig {
  /** URL of PostgreSQL that keeps what the server keeps; absent: a file of the project. It may hold a password. */
  readonly state?: string;
  /** What members of a group may see and do, by its name. */
  readonly groups: Readonly<Record<string, GroupRights>>;
  readonly oidc?: OidcConfig;
  /** Folders of other projects that the same server serves, by name; absolute. */
  readonly workspaces: Readonly<Record<string, string>>;
  /** Origins whose pages may hold the chat. */
  readonly embedOrigins: readonly string[];
  /** Questions in work at the same time; absent: by the machine and who answers. */
  readonly questionsAtOnce?: number;
  /** How long a request may wait for its work to begin; absent: 10 seconds. */
  readonly mostWaitMs?: number;
}

/** Sign-in of browsers through OpenID Connect. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  /** Claim of the ID token that lists groups; absent: those of `candor users` hold. */
  readonly groupsClaim?: string;
  /** Domains of the e-mail addresses that are let in. */
  readonly allowedDomains: readonly string[];
}

export type Approval = 'allow' | 'ask' | 'deny';

/** A person of several groups has all that any of them gives. */
export interface GroupRights {
  /** Ids of tables; absent: all that the project shows. */
  readonly tables?: readonly string[];
  /** For row filters and masks. */
  readonly properties: SessionProperties;
  readonly showSql: boolean;
  readonly runSql: boolean;
  readonly editKnowledge: boolean;
  /** Whether queries of answers run at once, once whoever asked says so, or never. */
  readonly approval: Approval;
  /** Absent: as many as they like. */
  readonly questionsPerHour?: number;
}

export interface ProfileSettings {
  /** Rows that one onboarding may read in all; the largest tables are sampled first. */
  readonly maxScanRows?: number;
  /** Like `maxScanRows`, by widths that are assumed of the types. */
  readonly maxScanBytes?: number;
  /** Of one statement. */
  readonly timeoutMs?: number;
  /** Whether values of columns that look personal stay out of examples and indexes. */
  readonly pii: 'withhold' | 'keep';
  /** Columns (`table.column`) whose values are kept although they look personal. */
  readonly keep: readonly string[];
  /** Columns (`table.column`) that are not read at all. */
  readonly skip: readonly string[];
}

/** Columns (`table.column`) that the rules of the value index would treat otherwise. */
export interface ValueSettings {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface SearchSettings {
  /** `none`, `built-in`, `hashed`, `openai:<model>` or `onnx:<folder or hub id>`; a folder is absolute. */
  readonly embedding: string;
  /** Base URL of an OpenAI-compatible endpoint. */
  readonly url?: string;
  /** A secret: never shown. */
  readonly key?: string;
  /** URL of PostgreSQL; may hold a secret. */
  readonly store?: string;
  /** Name of this project there; absent: the URL of the database. */
  readonly workspace?: string;
}

export interface ModelSettings {
  /** `openai:<model>`, `anthropic:<model>`, `google:<model>` or `gguf:<absolute file>`. */
  readonly name: string;
  readonly url?: string;
  /** A secret: never shown. */
  readonly key?: string;
  /** A stronger model of the same service that judges what research found. */
  readonly reflector?: string;
  /** No cell of the database is told to it. */
  readonly private: boolean;
  readonly contextWindow?: number;
  readonly json?: 'schema' | 'object' | 'none';
  /** What the writer is asked for. */
  readonly contract?: 'full' | 'short';
  /** What the service does not take. */
  readonly refuses?: readonly (
    | 'temperature'
    | 'top_p'
    | 'top_k'
    | 'seed'
    | 'logprobs'
    | 'max_tokens'
    | 'system'
  )[];
  /** US dollars per million tokens. */
  readonly price?: { readonly prompt: number; readonly completion: number; readonly cached?: number };
  /** Of one question. */
  readonly calls: number;
  /** Of one question, prompts and replies. */
  readonly tokens: number;
  /** Of one try. */
  readonly timeoutMs: number;
  readonly requestsAtOnce: number;
  /** Folder of kept replies; absent: none are kept. */
  readonly cache?: string;
  /** Folder that calls are recorded in. */
  readonly record?: string;
  /** Folder of recordings that answer in place of the service. */
  readonly replay?: string;
  /** Whether spans carry prompts and replies. */
  readonly traceContent: boolean;
}

/** Environment variables as a plain record; absent ones are undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigRequest {
  readonly cwd: string;
  /** Project folder; without it Candor walks up from `cwd` to the first `candor.yml`. */
  readonly project?: string;
  /** Overrides the project's database, or stands alone without a project. */
  readonly database?: string;
  /** Overrides the name of the project's model; `none`: the built-in engine answers. */
  readonly model?: string;
  /** Whether the model is told no cell; overrides the project's own. */
  readonly isPrivate?: boolean;
  /** Added to the project's own, which they override. */
  readonly sessionProperties?: SessionProperties;
  readonly env?: Environment;
}

/** What the usual variables of OpenTelemetry ask for. */
export interface TracingSettings {
  /** None: nothing is traced. */
  readonly exporters: readonly ('otlp' | 'console')[];
  /** Of `otlp`. */
  readonly protocol?: 'http/protobuf' | 'http/json';
  /** What they ask for and cannot have. */
  readonly problems: readonly string[];
}

/** What a terminal and the evaluation want to know of the environment. */
export interface TerminalEnvironment {
  readonly isColourWanted: boolean;
  /** Folder of the benchmark data, when CANDOR_DATA names one. */
  readonly dataDirectory?: string;
  /** PostgreSQL for suites that load databases of their own, when CANDOR_EVAL_POSTGRES names one. */
  readonly evaluationServer?: string;
  /** MariaDB for the same, when CANDOR_EVAL_MARIADB names one. */
  readonly evaluationMariadb?: string;
}

/** The present of a project: its pinned day, or now. */
export function presentOf({ today }: Pick<Config, 'today'>): Date {
  return today === undefined ? new Date() : new Date(`${today}T12:00:00Z`);
}
