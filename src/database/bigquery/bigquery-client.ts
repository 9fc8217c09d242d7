/**
 * BigQuery's REST API, version 2: a dry run tells what a statement is and what it would read, `queries` runs it, and its
 * pages come from the job. https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query
 */

import { z } from 'zod';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { once } from '../../lib/index.ts';
import type { HttpAnswer, HttpSession } from '../http/http-session.ts';
import type { Started, TaskRunner } from '../http/task-runner.ts';
import { SESSION_SETTINGS } from '../session-settings/index.ts';
import { type BigqueryField, FIELD } from './bigquery-cell.ts';
import type { BigqueryTarget } from './bigquery-target.ts';
import type { BigqueryTokens } from './bigquery-tokens.ts';

const JOB = z.object({ projectId: z.string(), jobId: z.string(), location: z.string().optional() });
const PAGE = z.object({
  jobComplete: z.boolean(),
  jobReference: JOB,
  schema: z.object({ fields: z.array(FIELD).optional() }).optional(),
  rows: z.array(z.object({ f: z.array(z.object({ v: z.unknown() })) })).optional(),
  pageToken: z.string().optional(),
  /** Of a job that came to its end they are warnings. */
  errors: z.array(z.unknown()).optional(),
});
const DRY_RUN = z.object({
  statistics: z.object({
    totalBytesProcessed: z.string().optional(),
    query: z.object({ statementType: z.string().optional() }).optional(),
  }),
});
const FAILURE = z.object({
  error: z.object({
    message: z.string(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});
const DATASET = z.object({ location: z.string() });

type Page = z.infer<typeof PAGE>;

/** https://cloud.google.com/bigquery/docs/error-messages */
const CODES: Readonly<Record<string, ErrorCode>> = {
  accessDenied: 'database.access-denied',
  rateLimitExceeded: 'database.overloaded',
  jobRateLimitExceeded: 'database.overloaded',
  quotaExceeded: 'database.overloaded',
  backendError: 'database.unreachable',
  bytesBilledLimitExceeded: 'database.too-expensive',
  stopped: 'database.cancelled',
  timeout: 'database.timeout',
};
/** How long an answer may wait for the result: the first one shortly, since only it tells what to cancel. */
const FIRST_WAIT_MS = 500;
const LATER_WAIT_MS = 10_000;
const PAGE_ROWS = 10_000;
/** One setting is a field of the request, the others are properties of the connection. */
const LEGACY = 'useLegacySql';
const PINNED_FIELDS = {
  [LEGACY]: SESSION_SETTINGS.bigquery.some(({ name, value }) => name === LEGACY && value === 'true'),
  connectionProperties: SESSION_SETTINGS.bigquery
    .filter(({ name }) => name !== LEGACY)
    .map(({ name, value }) => ({ key: name, value })),
};

export interface BigqueryStatement {
  readonly sql: string;
  readonly timeoutMs: number;
  /** Above it the service refuses to run the statement; the smaller of this and the URL's holds. */
  readonly scanBytes?: number | undefined;
  /** Rows that are wanted at most. */
  readonly rowLimit?: number;
  /** Told how many warnings the service has of the statement. */
  onWarnings?(count: number): void;
  /** Called with each page; `false` ends the statement. */
  onRows(fields: readonly BigqueryField[], rows: readonly (readonly unknown[])[]): boolean;
}

interface RunningJob extends Started {
  page: Page;
}

export interface DryRun {
  /** Bytes that would be read, and billed. */
  readonly bytes: number | undefined;
  /** As `SELECT`; absent when the engine does not say. */
  readonly statementType: string | undefined;
}

export class BigqueryClient {
  readonly #target: BigqueryTarget;
  readonly #session: HttpSession;
  readonly #runner: TaskRunner;
  readonly #tokens: BigqueryTokens;

  constructor(
    target: BigqueryTarget,
    session: HttpSession,
    parts: { readonly runner: TaskRunner; readonly tokens: BigqueryTokens },
  ) {
    this.#target = target;
    this.#session = session;
    this.#runner = parts.runner;
    this.#tokens = parts.tokens;
  }

  /** Where the data lie: as the URL says, else as the dataset says. `undefined` leaves it to the service. */
  readonly location = once((signal: AbortSignal) => this.#findLocation(signal));

  /** Has the engine check and price the statement without running it. */
  async dryRun(sql: string, signal: AbortSignal): Promise<DryRun> {
    const { dataProject, dataset, project } = this.#target;
    const answer = await this.#send('POST', `/projects/${encodeURIComponent(project)}/jobs`, signal, {
      jobReference: { projectId: project, location: await this.location(signal) },
      configuration: {
        dryRun: true,
        query: { query: sql, ...PINNED_FIELDS, ...defaultDataset(dataProject, dataset) },
      },
    });
    const { statistics } = this.#parse(DRY_RUN, answer);
    const bytes = statistics.totalBytesProcessed;
    return {
      bytes: bytes === undefined ? undefined : Number(bytes),
      statementType: statistics.query?.statementType,
    };
  }

  /** Throws `database.query-failed` with the engine's words, or what the table of reasons above says. */
  run(statement: BigqueryStatement, signal: AbortSignal): Promise<void> {
    return this.#runner.statement<RunningJob, void>(signal, {
      start: (startSignal) => this.#submit(statement, startSignal),
      follow: async (job) => {
        for (;;) {
          const { page } = job;
          if (page.jobComplete) {
            job.isDone = true;
            if (page.errors) statement.onWarnings?.(page.errors.length);
            const rows = (page.rows ?? []).map(({ f }) => f.map(({ v }) => v));
            const isOpen = statement.onRows(page.schema?.fields ?? [], rows);
            if (!isOpen || page.pageToken === undefined) return;
          }
          job.page = await this.#next(page, statement, signal);
        }
      },
      cancel: ({ page }, cancelSignal) => {
        const { jobId, location } = page.jobReference;
        const path = `${this.#jobs(page)}/jobs/${encodeURIComponent(jobId)}/cancel`;
        return this.#send('POST', `${path}${query({ location })}`, cancelSignal);
      },
    });
  }

  /** Asks the service for one of its other resources. */
  async get<T extends z.ZodType>(path: string, schema: T, signal: AbortSignal): Promise<z.infer<T>> {
    return this.#parse(schema, await this.#send('GET', path, signal));
  }

  async #findLocation(signal: AbortSignal): Promise<string | undefined> {
    const { location, dataProject, dataset } = this.#target;
    if (location !== undefined || dataset === undefined) return location;
    const path = `/projects/${encodeURIComponent(dataProject)}/datasets/${encodeURIComponent(dataset)}`;
    try {
      return (await this.get(path, DATASET, signal)).location;
    } catch (error) {
      if (!(error instanceof CandorError) || error.data.engineCode !== 'notFound') throw error;
      throw new CandorError('database.not-found', error.message, { data: error.data });
    }
  }

  async #submit(statement: BigqueryStatement, signal: AbortSignal): Promise<RunningJob> {
    const { project, dataProject, dataset } = this.#target;
    const maximumBytesBilled = this.#mostBytes(statement);
    const answer = await this.#send('POST', `/projects/${encodeURIComponent(project)}/queries`, signal, {
      query: statement.sql,
      ...PINNED_FIELDS,
      ...defaultDataset(dataProject, dataset),
      location: await this.location(signal),
      ...(maximumBytesBilled === undefined ? {} : { maximumBytesBilled }),
      timeoutMs: FIRST_WAIT_MS,
      jobTimeoutMs: String(Math.max(1, Math.ceil(statement.timeoutMs))),
      maxResults: pageRows(statement),
      formatOptions: { useInt64Timestamp: true },
      labels: { application: 'candor' },
    });
    return { page: this.#parse(PAGE, answer), isDone: false };
  }

  #mostBytes({ scanBytes }: BigqueryStatement): string | undefined {
    const { maximumBytesBilled: ofUrl } = this.#target;
    if (scanBytes === undefined || (ofUrl !== undefined && Number(ofUrl) <= scanBytes)) return ofUrl;
    return String(scanBytes);
  }

  async #next(page: Page, statement: BigqueryStatement, signal: AbortSignal): Promise<Page> {
    const { jobId, location } = page.jobReference;
    const options = query({
      location,
      pageToken: page.pageToken,
      maxResults: String(pageRows(statement)),
      timeoutMs: String(LATER_WAIT_MS),
      'formatOptions.useInt64Timestamp': 'true',
    });
    const path = `${this.#jobs(page)}/queries/${encodeURIComponent(jobId)}${options}`;
    const next = this.#parse(PAGE, await this.#send('GET', path, signal));
    // A page that gives the same token again would be asked for without end.
    if (next.jobComplete && next.pageToken !== undefined && next.pageToken === page.pageToken) {
      throw this.#session.badAnswer('a page of the result names itself as the next one');
    }
    return next.schema === undefined ? { ...next, schema: page.schema } : next;
  }

  #jobs({ jobReference }: Page): string {
    return `/projects/${encodeURIComponent(jobReference.projectId)}`;
  }

  async #send(method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: object): Promise<HttpAnswer> {
    const answer = await this.#session.send({
      method,
      url: `${this.#target.origin}/bigquery/v2${path}`,
      headers: { ...(await this.#tokens.headers(signal)), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
    if (answer.status === 200) return answer;
    const failure = FAILURE.safeParse(this.#readJson(answer));
    const words = failure.success ? failure.data.error.message : `HTTP ${answer.status}`;
    const reason = failure.success ? failure.data.error.errors?.[0]?.reason : undefined;
    const data = { engineCode: reason ?? String(answer.status) };
    if (answer.status === 401)
      throw new CandorError('database.access-denied', `BigQuery refuses the login: ${words}`);
    const isOfQuery = failure.success && answer.status >= 400 && answer.status < 500;
    const code = CODES[reason ?? ''] ?? (isOfQuery ? 'database.query-failed' : 'database.bad-answer');
    throw new CandorError(code, words, { data });
  }

  #parse<T extends z.ZodType>(schema: T, answer: HttpAnswer): z.infer<T> {
    const parsed = schema.safeParse(this.#readJson(answer));
    if (parsed.success) return parsed.data;
    throw this.#session.badAnswer(`an answer is not of BigQuery: ${parsed.error.message}`);
  }

  #readJson(answer: HttpAnswer): unknown {
    try {
      return JSON.parse(answer.body);
    } catch {
      throw this.#session.badAnswer(`an answer (HTTP ${answer.status}) is not JSON`);
    }
  }
}

function pageRows({ rowLimit }: BigqueryStatement): number {
  return Math.min(rowLimit ?? PAGE_ROWS, PAGE_ROWS);
}

function defaultDataset(projectId: string, datasetId: string | undefined): object {
  return datasetId === undefined ? {} : { defaultDataset: { projectId, datasetId } };
}

function query(options: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(options).filter(
    (option): option is [string, string] => option[1] !== undefined,
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
