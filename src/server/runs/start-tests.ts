/** A run of the project's own questions, as `candor test` asks them. */
import { dirname } from 'node:path';
import type { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import {
  type CaseResult,
  faultsOfRun,
  findTestFiles,
  readTestFile,
  runTests,
  selectTests,
  summariseTests,
  type TestCase,
  type TestRun,
} from '../../lab/testing/index.ts';
import type { Session } from '../../session/index.ts';
import { type AnswerLabel, addLabels } from '../../uncertainty/index.ts';
import { type TEST_CASE, type TEST_CHOICE, TEST_PROGRESS, TEST_REPORT } from '../contract/test-contract.ts';
import { failureReply } from '../parts/failure-reply.ts';
import type { FollowedRun, ServerParts } from '../parts/server-parts.ts';
import type { Person } from '../people/person.ts';
import { testsOf } from './run-hub.ts';

/** With a model, cases asked at the same time. */
const ASKED_AT_ONCE_WITH_MODEL = 4;

/** The cases of `tests/` that a choice names. Throws `test.*` and `eval.case-invalid`. */
export async function chosenTests(
  config: Config,
  { tags = [], filter }: Pick<z.infer<typeof TEST_CHOICE>, 'tags' | 'filter'>,
): Promise<readonly TestCase[]> {
  const root = dirname(config.testsDirectory);
  const files = await findTestFiles([], { cwd: root, root });
  const read = await Promise.all(files.map((file) => readTestFile(file, root)));
  return selectTests(
    read.flatMap(({ cases }) => cases),
    { tags, ...(filter !== undefined && { filter }) },
  );
}

/**
 * Begins the run that asks the cases, on the session of the person. Its events: `run`, `progress` after each case, then `report` with
 * what came, a cancelled run as well, or `error`. Throws `server.busy`, `server.overloaded`.
 */
export async function startTests(
  cases: readonly TestCase[],
  { bail = false, mode }: Pick<z.infer<typeof TEST_CHOICE>, 'bail' | 'mode'>,
  { person, session, ...parts }: ServerParts & { readonly person: Person; readonly session: Session },
  key = parts.newId(),
): Promise<FollowedRun> {
  return parts.runs.start(key, testsOf(person), async (run) => {
    // The run goes on after its request.
    const release = parts.projectSessions.hold(parts.projectSessions.current);
    run.emit('run', { runId: run.id, cases: cases.length });
    const labels: AnswerLabel[] = [];
    try {
      const ran = await runTests(cases, session, {
        ...{ runs: 1, bail, signal: run.signal, ...(mode !== undefined && { mode }) },
        concurrency: session.models === undefined ? 1 : ASKED_AT_ONCE_WITH_MODEL,
        onProgress: (progress) => run.emit('progress', TEST_PROGRESS.parse(progress)),
        onLabel: (label) => labels.push({ ...label, from: 'test' }),
      });
      if (!parts.projectSessions.isShared) await addLabels(session.config.derivedDirectory, labels);
      run.emit('report', TEST_REPORT.parse(reportOf(ran)));
    } catch (error) {
      run.emit('error', failureReply(error, run.id, { ...parts, session }).body.error);
    } finally {
      release();
    }
  });
}

export function shownCase({
  file,
  line,
  id,
  tags,
  skip,
  knownFailure,
  turns,
}: TestCase): z.infer<typeof TEST_CASE> {
  const [first] = turns;
  const expected = turns.findLast(({ expect }) => expect !== undefined)?.expect?.kind;
  return {
    ...{ file, line, id, tags: [...tags], says: first?.says.text ?? '' },
    ...(expected !== undefined && { expected }),
    ...(skip !== undefined && { skip }),
    ...(knownFailure !== undefined && { knownFailure }),
  };
}

function reportOf(run: TestRun): z.infer<typeof TEST_REPORT> {
  const summary = summariseTests(run);
  const faults = faultsOfRun(run, summary, {});
  const { counts, accuracy, forcedAnswers, tokens, cost, seconds } = summary;
  return {
    ...{ isPassed: faults.length === 0, faults: [...faults], seconds, counts: { ...counts }, tokens },
    ...(run.stoppedBy !== undefined && { stoppedBy: run.stoppedBy }),
    ...(cost !== undefined && { cost }),
    accuracy: figureOf(accuracy),
    forcedAnswers: figureOf(forcedAnswers),
    results: run.results.map(shownResult),
  };
}

function figureOf({ hits, total, share }: { hits: number; total: number; share?: number }) {
  return { hits, total, ...(share !== undefined && { share }) };
}

function shownResult({
  tested,
  status,
  runs,
  ms,
}: CaseResult): z.infer<typeof TEST_REPORT>['results'][number] {
  const turns = runs[0]?.turns ?? [];
  return {
    ...{ ...shownCase(tested), status, ms },
    turns: turns.map(({ says, expected, outcome, sql, said, recordId, problems }) => ({
      says,
      ...(expected !== undefined && { expected }),
      ...(outcome !== undefined && { outcome }),
      ...(sql !== undefined && { sql }),
      ...(said !== undefined && { said }),
      ...(recordId !== undefined && { recordId }),
      problems: problems.map(({ text }) => text),
    })),
  };
}
