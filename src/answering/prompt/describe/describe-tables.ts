/** Asks a model about one table after the other; each reply is handed on at once, so that a run that stops has lost nothing. */
import { CandorError } from '../../../errors.ts';
import { type Guess, guessName } from '../../../knowledge/authored/index.ts';
import { type NewlyDescribed, tableState } from '../../../knowledge/described/index.ts';
import { CostCounter, type LanguageModel, TokenLedger } from '../../../model/index.ts';
import { describeTableByModel } from '../../../reasoning/llm/index.ts';
import type { Statement, TableDescription } from '../../../reasoning/roles/describe-reasoner.ts';
import type { DescribeCall } from './plan-descriptions.ts';

export interface DescribeRun {
  /** Day, YYYY-MM-DD. */
  readonly at: string;
  readonly signal: AbortSignal;
  /** Before each call. */
  readonly onCall: (call: DescribeCall, index: number) => void;
  /** Writes down what a call came to. */
  readonly keep: (described: NewlyDescribed) => Promise<void>;
}

export interface DescribeOutcome {
  /** Calls that came to something, or to nothing that is known. */
  readonly done: number;
  readonly guesses: number;
  /** Asked about and not known. */
  readonly unknown: number;
  /** Statements about what is not there. */
  readonly dropped: number;
  readonly failed: readonly { readonly table: string; readonly error: CandorError }[];
  /** Calls that were not made any more. */
  readonly left: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
  readonly dollars: number | undefined;
}

/** After so many failures one after the other something is wrong with the service, not with the tables. */
const MOST_FAILURES = 3;

/** A call that fails costs the others nothing. Throws `model.cancelled`, and what `keep` throws. */
export async function describeTables(
  calls: readonly DescribeCall[],
  model: LanguageModel,
  run: DescribeRun,
): Promise<DescribeOutcome> {
  const { signal } = run;
  const ledger = new TokenLedger();
  const cost = new CostCounter();
  const counted = cost.counted(model);
  const failed: { table: string; error: CandorError }[] = [];
  const sums = { done: 0, guesses: 0, unknown: 0, dropped: 0 };
  let inARow = 0;
  for (const [index, call] of calls.entries()) {
    if (inARow === MOST_FAILURES) break;
    if (signal.aborted) throw new CandorError('model.cancelled', 'describing was cancelled');
    run.onCall(call, index);
    const said = await describeTableByModel(counted, call.asked, { ledger, signal }).catch(
      (error: unknown) => {
        if (signal.aborted || !(error instanceof CandorError)) throw error;
        return error;
      },
    );
    if (said instanceof CandorError) {
      failed.push({ table: call.table.id, error: said });
      inARow += 1;
      continue;
    }
    inARow = 0;
    const described = describedOf(call, said, { by: model.id, at: run.at, isPrivate: model.isPrivate });
    await run.keep(described);
    sums.done += 1;
    sums.guesses += described.guesses.length;
    sums.unknown += described.unknown.length;
    sums.dropped += said.dropped;
  }
  return {
    ...sums,
    failed,
    left: calls.length - sums.done - failed.length,
    promptTokens: ledger.entries.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    replyTokens: ledger.entries.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
    dollars: cost.dollars,
  };
}

/** What was asked about and not answered is unknown. */
function describedOf(
  { table, asked, columnIds }: DescribeCall,
  said: TableDescription,
  from: Pick<NewlyDescribed, 'by' | 'at' | 'isPrivate'>,
): NewlyDescribed {
  const idOf = (column: string): string => columnIds.get(column) ?? column;
  const guesses: readonly Guess[] = [
    ...(said.table === undefined ? [] : [guessOf({ of: table.id }, said.table)]),
    ...[...said.columns].map(([column, statement]) => guessOf({ of: idOf(column) }, statement)),
    ...said.codes.map(({ column, value, statement }) => guessOf({ of: idOf(column), value }, statement)),
  ];
  const known = new Set(guesses.map(guessName));
  const wanted = [
    ...(asked.isTable ? [table.id] : []),
    ...asked.columns.map(idOf),
    ...asked.codes.flatMap(({ column, values }) =>
      values.map((value) => guessName({ of: idOf(column), value })),
    ),
  ];
  return {
    ...{ table: table.id, ...from, guesses },
    catalog: tableState(table),
    unknown: wanted.filter((name) => !known.has(name)),
  };
}

function guessOf(about: Pick<Guess, 'of' | 'value'>, { text, sure, because }: Statement): Guess {
  return { ...about, text, sure, because: because === '' ? undefined : because };
}
