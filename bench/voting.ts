/**
 * Choosing among what real set-ups wrote for the questions of BIRD dev whose databases have rows: superhero, student_club and
 * toxicology. Every candidate is run, labelled by the set of its rows as BIRD does, and compared with what choosing takes:
 * the mean and the best single set-up of the panel, a plain majority of equal results, our selection, the same with the grounded
 * engine as one more voice, selection by trees where nothing is run, and any of them being right. The best single is
 * the best on the very part it stands in. Rules and weights were fixed on every second question of superhero and student_club
 * and on `bird/databases_proxy`; `not tuned on` are the others and toxicology.
 * `npx tsx bench/voting.ts [--smoke] [--output json]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectConfig, readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { openSession } from '../src/session/project/open-session.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';
import { type JudgedQuestion, judgeQuestion } from './voting/judge-question.ts';
import { makePanels, type Panel } from './voting/make-panels.ts';
import { type PanelVote, panelFigures, votePanel } from './voting/panel-votes.ts';
import { readSetups, type VotedQuestion, type VotingSet } from './voting/read-setups.ts';

const SMOKE_QUESTIONS = 4;

const options = readBenchOptions();
const say = (line: string): void => void process.stderr.write(`voting: ${line}\n`);
try {
  const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
  const set = await readSetups(dataDirectory);
  const panels = makePanels(set).slice(0, options.isSmoke ? 2 : undefined);
  const { votes, figures } = await vote(set, panels);
  printReport(
    {
      bench: 'voting',
      about: `right answers in percent, 95 % intervals by question; gain is ours less the best single, in points; ${set.setups.length} set-ups`,
      rows: panels.flatMap((panel) => rowsOf(panel, votes.get(panel) ?? [])),
      figures,
    },
    options,
  );
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`voting: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

interface Voted {
  readonly votes: ReadonlyMap<Panel, readonly PanelVote[]>;
  readonly figures: Readonly<Record<string, number>>;
}

async function vote({ questions }: VotingSet, panels: readonly Panel[]): Promise<Voted> {
  const setups = [...new Set(panels.flatMap((panel) => panel.setups))];
  const votes = new Map<Panel, PanelVote[]>(panels.map((panel) => [panel, []]));
  const total = { questions: 0, goldFailed: 0, labelled: 0, differs: 0, engineRight: 0 };
  for (const [database, asked] of byDatabase(questions)) {
    const own = options.isSmoke ? asked.slice(0, SMOKE_QUESTIONS) : asked;
    await judgeAll(own, setups, (question, judged) => {
      if (judged === undefined) {
        total.goldFailed += 1;
        return;
      }
      total.questions += 1;
      total.labelled += judged.labelled;
      total.differs += judged.differs;
      total.engineRight += Number(judged.engine?.isRight === true);
      const about = { database, isTuned: question.isTuned };
      for (const panel of panels) votes.get(panel)?.push(votePanel(panel, judged, about));
    });
  }
  const { engineRight, ...counts } = total;
  return { votes, figures: { ...counts, enginePercent: (100 * engineRight) / total.questions } };
}

function byDatabase(questions: readonly VotedQuestion[]): ReadonlyMap<string, readonly VotedQuestion[]> {
  const groups = new Map<string, VotedQuestion[]>();
  for (const question of questions)
    groups.set(question.database, [...(groups.get(question.database) ?? []), question]);
  return groups;
}

/** The questions of one database, which is onboarded for them. */
async function judgeAll(
  questions: readonly VotedQuestion[],
  setups: readonly string[],
  take: (question: VotedQuestion, judged: JudgedQuestion | undefined) => void,
): Promise<void> {
  const [first] = questions;
  if (first === undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'candor-voting-'));
  const session = await openSession(projectConfig(folder, first.asked.databaseUrl));
  try {
    for (const [at, question] of questions.entries()) {
      if (at % 20 === 0) say(`${question.database}: ${at} of ${questions.length} questions`);
      take(question, await judgeQuestion(question, session, setups));
    }
  } finally {
    await session.close();
    await rm(folder, { recursive: true });
  }
}

function rowsOf(
  panel: Panel,
  votes: readonly PanelVote[],
): readonly Readonly<Record<string, string | number>>[] {
  const parts: readonly (readonly [string, (vote: PanelVote) => boolean])[] = [
    ['all', () => true],
    ['not tuned on', ({ isTuned }) => !isTuned],
    ...[...new Set(votes.map(({ database }) => database))].map(
      (name) => [name, ({ database }: PanelVote) => database === name] as const,
    ),
  ];
  return parts.flatMap(([part, isIn]) => {
    const own = votes.filter(isIn);
    return own.length === 0 ? [] : [panelFigures(panel, own, part)];
  });
}
