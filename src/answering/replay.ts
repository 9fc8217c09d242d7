import { type Answer, isRun } from '../answer.ts';
import { type DecisionRecord, hashResult, listRecords, type Session } from '../session/index.ts';
import { readOwnRecord } from './answer/answer-records.ts';
import { ask } from './ask.ts';
import { resolveTableScope } from './resolve-table-scope.ts';

export { listRecords };

export interface Replay {
  readonly same: boolean;
  /** What came out differently, in sentences. */
  readonly differences: readonly string[];
  readonly answer: Answer;
}

/** Asks a recorded question again in its own present and compares the outcome, the SQL and the result. */
export async function replay(
  recordId: string,
  session: Session,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Replay> {
  const record = await readOwnRecord(recordId, session);
  const hadRows = record.resultHash !== undefined;
  const answer = await ask(record.question, session, {
    now: new Date(record.now),
    after: record.after ?? [],
    execute: hadRows || record.kind !== 'answered',
    record: false,
    related: false,
    targetRisk: record.targetRisk ?? null,
    ...(record.hint === undefined ? {} : { hint: record.hint }),
    ...(record.assume === undefined ? {} : { assume: record.assume }),
    ...(record.tables === undefined ? {} : { tables: record.tables }),
    ...(record.mode === undefined ? {} : { mode: record.mode }),
    signal: options.signal,
  });
  const { session: ground } = await resolveTableScope(record.question, session, record);
  const differences = [...compareGround(record, ground), ...compareOutcome(record, answer)];
  return { same: differences.length === 0, differences, answer };
}

function compareGround(record: DecisionRecord, session: Session): string[] {
  const changed: string[] = [];
  if (record.catalogFingerprint !== session.catalog.fingerprint)
    changed.push('The schema has changed since.');
  if (record.semanticsFingerprint !== session.semanticsFingerprint)
    changed.push('The semantic model has changed since.');
  return changed;
}

function compareOutcome(record: DecisionRecord, answer: Answer): string[] {
  if (answer.kind !== record.kind) return [`The outcome was ${record.kind} and is ${answer.kind} now.`];
  if (answer.kind === 'reject' && answer.reason !== record.reason)
    return [`The reason was ${record.reason} and is ${answer.reason} now.`];
  if (answer.kind !== 'answered') return [];
  if (answer.sql !== record.sql) return ['The SQL differs.'];
  if (record.resultHash !== undefined && !isRun(answer))
    return ['It was not run this time, so its rows are not compared.'];
  const notices = (answer.notices ?? []).map(({ code }) => code);
  const hadNotices = record.notices ?? [];
  return [
    ...(record.resultHash !== undefined && hashResult(answer.columns, answer.rows) !== record.resultHash
      ? ['The result differs: the data has changed.']
      : []),
    ...(isRun(answer) && notices.join() !== hadNotices.join()
      ? [`The engine had this to say of the rows: ${listed(hadNotices)}; now: ${listed(notices)}.`]
      : []),
  ];
}

function listed(codes: readonly string[]): string {
  return codes.length === 0 ? 'nothing' : codes.join(', ');
}
