/** What choosing gives on one question, and figures over many. */
import { areSameRows, type SelectionOptions, selectCandidate } from '../../src/generation/index.ts';
import { bootstrapMean } from '../../src/lab/metrics/intervals.ts';
import type { JudgedCandidate, JudgedQuestion } from './judge-question.ts';
import type { Panel } from './make-panels.ts';

/** Whether each way of choosing was right on a question. */
export interface PanelVote {
  readonly database: string;
  readonly isTuned: boolean;
  /** In the order of the panel. */
  readonly singles: readonly boolean[];
  readonly majority: boolean;
  readonly ours: boolean;
  readonly withEngine: boolean;
  /** With the engine, where nothing more is drawn once two give the same rows, as careful mode does. */
  readonly stopped: boolean;
  /** Queries that were drawn for it. */
  readonly drawn: number;
  /** The same as `ours`, were nothing run. */
  readonly byTrees: boolean;
  readonly oracle: boolean;
}

/** A plain majority of equal results: neither emptiness nor doubts cost, and nothing but the index breaks a tie. */
const PLAIN: SelectionOptions = { emptyWeight: 1, doubtWeight: 1 };

export function votePanel(
  { setups }: Panel,
  { bySetup, engine }: JudgedQuestion,
  about: Pick<PanelVote, 'database' | 'isTuned'>,
): PanelVote {
  const judged = setups.flatMap((setup) => bySetup.get(setup) ?? []);
  const bare = judged.map(({ isRight, candidate: { problems, outcome } }) => ({
    isRight,
    candidate: { problems, outcome },
  }));
  const unrun = judged.map(({ isRight, candidate }) => ({
    isRight,
    candidate: { ...candidate, outcome: { kind: 'not-run' as const } },
  }));
  return {
    ...about,
    singles: judged.map(({ isRight }) => isRight),
    majority: isChosenRight(bare, PLAIN),
    ours: isChosenRight(judged),
    withEngine: isChosenRight(engine === undefined ? judged : [...judged, engine]),
    ...stoppedVote(judged, engine),
    byTrees: isChosenRight(unrun),
    oracle: judged.some(({ isRight }) => isRight),
  };
}

/** The set-ups in the order of the panel, each a draw. */
function stoppedVote(
  judged: readonly JudgedCandidate[],
  engine: JudgedCandidate | undefined,
): Pick<PanelVote, 'stopped' | 'drawn'> {
  const voices = engine === undefined ? [] : [engine];
  let drawn = 0;
  for (const draw of judged) {
    drawn += 1;
    const isAgreed = voices.some((other) => agree(draw, other));
    voices.push(draw);
    if (isAgreed) break;
  }
  const inOrder = engine === undefined ? voices : [...voices.slice(1), engine];
  return { stopped: isChosenRight(inOrder), drawn };
}

function agree({ candidate: one }: JudgedCandidate, { candidate: other }: JudgedCandidate): boolean {
  if (one.outcome.kind !== 'rows' || other.outcome.kind !== 'rows') return false;
  const isSound = [one, other].every(({ problems }) => problems.length === 0);
  return (
    isSound && one.outcome.result.rows.length > 0 && areSameRows(one.outcome.result, other.outcome.result)
  );
}

function isChosenRight(judged: readonly JudgedCandidate[], options: SelectionOptions = {}): boolean {
  const candidates = judged.map(({ candidate }, index) => ({ ...candidate, index }));
  const { chosen } = selectCandidate(candidates, options);
  return chosen !== undefined && judged[chosen]?.isRight === true;
}

/** Shares in percent, of all questions of a part. */
export function panelFigures(
  panel: Panel,
  votes: readonly PanelVote[],
  part: string,
): Readonly<Record<string, string | number>> {
  const singles = panel.setups.map((_, at) => shareOf(votes, ({ singles: own }) => own[at] === true));
  const best = singles.indexOf(Math.max(...singles));
  const against = (read: (vote: PanelVote) => boolean): readonly number[] =>
    votes.map((vote) => 100 * (Number(read(vote)) - Number(vote.singles[best])));
  const gains = against(({ ours }) => ours);
  const { low, high } = bootstrapMean(gains);
  const ours = bootstrapMean(votes.map((vote) => 100 * Number(vote.ours)));
  return {
    panel: panel.name,
    setups: panel.setups.length,
    part,
    questions: votes.length,
    mean: rounded(singles.reduce((sum, share) => sum + share, 0) / singles.length),
    best: rounded(singles[best] ?? 0),
    majority: rounded(shareOf(votes, ({ majority }) => majority)),
    ours: rounded(shareOf(votes, (vote) => vote.ours)),
    oursInterval: `${ours.low.toFixed(1)} to ${ours.high.toFixed(1)}`,
    gain: rounded(gains.reduce((sum, gain) => sum + gain, 0) / gains.length),
    gainInterval: `${low.toFixed(1)} to ${high.toFixed(1)}`,
    withEngine: rounded(shareOf(votes, (vote) => vote.withEngine)),
    stopped: rounded(shareOf(votes, (vote) => vote.stopped)),
    drawn: Math.round((100 * votes.reduce((sum, vote) => sum + vote.drawn, 0)) / votes.length) / 100,
    byTrees: rounded(shareOf(votes, (vote) => vote.byTrees)),
    oracle: rounded(shareOf(votes, (vote) => vote.oracle)),
  };
}

function shareOf(votes: readonly PanelVote[], read: (vote: PanelVote) => boolean): number {
  return (100 * votes.filter(read).length) / votes.length;
}

function rounded(percent: number): number {
  return Math.round(percent * 10) / 10;
}
