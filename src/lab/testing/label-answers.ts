/** Asks the tests and verified pairs of a project whose answers nobody has judged yet. */
import type { VerifiedPair } from '../../knowledge/authored/index.ts';
import type { Session } from '../../session/index.ts';
import { type AnswerLabel, questionKey } from '../../uncertainty/index.ts';
import { runTests } from './run-tests.ts';
import type { TestCase } from './test-result.ts';

export interface LabelCase {
  readonly from: 'test' | 'pair';
  readonly tested: TestCase;
}

/** Of both what holds one question alone and says its rows. */
export function casesToLabel(
  tests: readonly TestCase[],
  { examples, config }: Pick<Session, 'examples' | 'config'>,
): readonly LabelCase[] {
  const pairs = examples.map((pair) => caseOf(pair, config.examplesDirectory));
  return [
    ...tests
      .filter(({ turns, skip }) => skip === undefined && turns.length === 1 && hasRows(turns[0]))
      .map((tested): LabelCase => ({ from: 'test', tested })),
    ...pairs.map((tested): LabelCase => ({ from: 'pair', tested })),
  ];
}

function hasRows(turn: TestCase['turns'][number] | undefined): boolean {
  if (turn?.expect === undefined) return false;
  return turn.expect.kind !== 'answered' || (turn.expect.sql ?? turn.expect.result) !== undefined;
}

function caseOf({ question, sql, file }: VerifiedPair, folder: string): TestCase {
  const says = { kind: 'question', text: question } as const;
  const turns = [{ says, expect: { kind: 'answered', sql } as const }];
  return { file, path: `${folder}/${file}`, line: 1, id: file, tags: [], turns };
}

export interface LabelOptions {
  readonly known: readonly AnswerLabel[];
  /** Who answers, and which models tell the risk: what is labelled of these is not asked again. */
  readonly writer: string;
  readonly modelId: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
}

export function unlabelled(
  cases: readonly LabelCase[],
  { known, writer, modelId }: Pick<LabelOptions, 'known' | 'writer' | 'modelId'>,
): readonly LabelCase[] {
  const seen = new Set(
    known
      .filter((label) => label.writer === writer && label.model === modelId)
      .map(({ question }) => question),
  );
  return cases.filter(({ tested }) => {
    const key = keyOf(tested);
    return !seen.has(key) && Boolean(seen.add(key));
  });
}

function keyOf({ turns: [turn] }: TestCase): string {
  return questionKey({ question: turn?.says.text ?? '', hint: turn?.hint, after: turn?.after });
}

/**
 * One after the other. Each is asked as if no pair told its query: neither one of its question nor one with the query that is due. A
 * cancel ends it with the labels that are there.
 */
export async function labelAnswers(
  cases: readonly LabelCase[],
  session: Session,
  { signal, onProgress }: Pick<LabelOptions, 'signal' | 'onProgress'>,
): Promise<readonly AnswerLabel[]> {
  const labels: AnswerLabel[] = [];
  for (const [at, { from, tested }] of cases.entries()) {
    if (signal.aborted) break;
    const others = session.examples.filter((pair) => !tells(pair, tested));
    const asked = others.length === session.examples.length ? session : session.withPairs(others);
    await runTests([tested], asked, {
      ...{ runs: 1, concurrency: 1, bail: false, signal },
      onLabel: (label) => labels.push({ ...label, from }),
    });
    onProgress?.(at + 1, cases.length);
  }
  return labels;
}

function tells(pair: VerifiedPair, { turns: [turn] }: TestCase): boolean {
  const due = turn?.expect?.kind === 'answered' ? turn.expect.sql : undefined;
  const isSameQuestion = questionKey(pair) === questionKey({ question: turn?.says.text ?? '' });
  return isSameQuestion || (due !== undefined && onePiece(due) === onePiece(pair.sql));
}

function onePiece(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/;\s*$/, '').trim().toLowerCase();
}
