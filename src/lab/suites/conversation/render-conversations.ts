/** The figures of a run over conversations, for programs and for people. */
import { alignRows } from '../../evaluation/align-rows.ts';
import {
  calibrationFigures,
  type Metrics,
  modelFigures,
  type ToldAnswer,
} from '../../evaluation/compute-metrics.ts';
import {
  figureRows,
  renderCalibration,
  runNotes,
  runTitle,
  verdictCounts,
} from '../../evaluation/render-suite.ts';
import { type Share, shareFigures, shareOf } from '../../metrics/shares.ts';
import { type ConversationRecord, TURN_AGENTS, TURN_VERDICTS, type TurnRecord } from './conversation-case.ts';
import type { ConversationReport } from './run-conversations.ts';

/** By the name of each figure. */
function sharesOf(records: readonly ConversationRecord[]): Readonly<Record<string, Share>> {
  const turns = records.flatMap((record) => record.turns);
  const decided = turns.filter(isDecided);
  return {
    rightAgent: shareOf(turns.filter(isServed), ({ isRightAgent }) => isRightAgent === true),
    rightReply: shareOf(decided, isRight),
    taughtNotesUsed: shareOf(
      decided.filter(({ usesTaught }) => usesTaught === true),
      isRight,
    ),
    rightConversation: shareOf(
      records.filter(({ turns: all }) => all.some(isDecided)),
      ({ turns: all }) => all.filter(isDecided).every(isRight),
    ),
  };
}

const TITLES: Readonly<Record<string, string>> = {
  rightAgent: 'right agent',
  rightReply: 'right reply',
  taughtNotesUsed: '  where a taught note is needed',
  rightConversation: 'conversations without a wrong reply',
};

/** What nobody could judge says nothing of who was asked. */
function isDecided({ verdict }: TurnRecord): boolean {
  return verdict === 'right' || verdict === 'wrong' || verdict === 'error';
}

function isServed({ verdict }: TurnRecord): boolean {
  return verdict !== 'not-asked' && verdict !== 'gold-failed';
}

function isRight({ verdict }: TurnRecord): boolean {
  return verdict === 'right';
}

function toldTurns(records: readonly ConversationRecord[]): readonly ToldAnswer[] {
  return records.flatMap(({ id, turns }) =>
    turns.flatMap((turn, at) =>
      turn.risk === undefined || !isDecided(turn)
        ? []
        : [{ id: `${id} ${at + 1}`, question: turn.text, risk: turn.risk, isWrong: !isRight(turn) }],
    ),
  );
}

function metricsOf(records: readonly ConversationRecord[]): Metrics {
  const uses = records.flatMap(({ turns }) => turns.flatMap(({ use }) => use ?? []));
  const told = calibrationFigures(toldTurns(records));
  return { ...shareFigures(sharesOf(records)), ...told, ...modelFigures(uses) };
}

/** What `--output json` prints as its last line. */
export function summariseConversations({ suite, records, seconds }: ConversationReport) {
  const turns = records.flatMap((record) => record.turns);
  return {
    suite,
    cases: records.length,
    turns: turns.length,
    toRead: turns.filter(({ verdict }) => verdict === 'to-read').length,
    metrics: metricsOf(records),
    seconds,
  };
}

export function renderConversations(report: ConversationReport): string {
  const { records } = report;
  const turns = records.flatMap((record) => record.turns);
  const figures = figureRows(sharesOf(records), TITLES, { metrics: metricsOf(records), item: 'turn' });
  return `${[
    runTitle(report, `${records.length} conversations of ${turns.length} turns`),
    alignRows(figures),
    renderAgents(turns),
    verdictCounts(turns, TURN_VERDICTS),
    renderCalibration(toldTurns(records)),
    runNotes(report, 'conversation'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

function renderAgents(turns: readonly TurnRecord[]): string {
  const rows = TURN_AGENTS.flatMap((agent) => {
    const own = turns.filter((turn) => turn.agent === agent);
    if (own.length === 0) return [];
    const decided = own.filter(isDecided);
    const served = shareOf(own.filter(isServed), ({ isRightAgent }) => isRightAgent === true);
    const right = shareOf(decided, isRight);
    const toRead = own.filter(({ verdict }) => verdict === 'to-read').length;
    return [
      [agent, own.length, `${served.hits} of ${served.total}`, `${right.hits} of ${right.total}`, toRead],
    ];
  });
  return alignRows([
    ['kind of turn', 'turns', 'right agent', 'right reply', 'to read'],
    ...rows.map((row) => row.map(String)),
  ]);
}
