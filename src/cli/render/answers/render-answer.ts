import type {
  Abstain,
  Answer,
  Answered,
  Assumption,
  Clarify,
  Evidence,
  FollowUp,
  ModelUse,
  Option,
  Reject,
  Searched,
} from '../../../answer.ts';
import { choiceEffectText } from '../../../answering/index.ts';
import { unreachable } from '../../../errors.ts';
import { escapeControl } from '../../../lib/index.ts';
import type { DialectName } from '../../../sql/dialects/dialect.ts';
import { LIKELY_WRONG_FROM } from '../../../uncertainty/index.ts';
import { shellQuote } from '../layout/shell-quote.ts';
import type { Style } from '../layout/text-layout.ts';
import { fitText, percent, promiseText, renderTable, restsOn, textWidth } from '../layout/text-layout.ts';
import { renderSql } from './render-sql.ts';

export interface CardLayout {
  readonly style: Style;
  /** The dialect of the SQL in the answer. */
  readonly dialect: DialectName;
  readonly width?: number;
  /** Rows shown at most; more are counted. */
  readonly maxRows: number;
  /** False when the SQL was written but not run. */
  readonly isExecuted: boolean;
  /** The command that asks, without the question: `candor ask --project shop`. */
  readonly askCommand: string;
  /** The command that replays, without the id. */
  readonly replayCommand: string;
}

/** How many pieces of evidence a card lists; `--output json` has them all. */
const MAX_EVIDENCE = 10;
const MAX_RELATED_CHARS = 100;
const MOST_HITS = 3;

/** An outcome as a card for people; every kind says what to do next. */
export function renderAnswer(answer: Answer, layout: CardLayout): string {
  return `${blocksOf(answer, layout).filter(Boolean).join('\n\n')}\n`;
}

function blocksOf(answer: Answer, layout: CardLayout): string[] {
  switch (answer.kind) {
    case 'answered':
      return answeredBlocks(answer, layout);
    case 'clarify':
    case 'follow_up':
      return questionBlocks(answer, layout);
    case 'reject':
      return rejectBlocks(answer, layout);
    case 'abstain':
      return abstainBlocks(answer, layout);
    default:
      return unreachable(answer);
  }
}

function answeredBlocks(answer: Answered, layout: CardLayout): string[] {
  const { style } = layout;
  return [
    style.bold(escapeControl(answer.explanation)),
    renderSql(answer.sql, answer.evidence, layout),
    layout.isExecuted ? rowsBlock(answer, layout) : style.dim('not executed'),
    factsBlock(
      [
        ['note', (answer.notices ?? []).map(({ text }) => style.yellow(escapeControl(text)))],
        ['read as', readAsLine(answer)],
        ['verified', verifiedLines(answer, style)],
        ['not used', (answer.unused ?? []).map(({ text, why }) => escapeControl(`“${text}”: ${why}`))],
        ['chart', chartLines(answer)],
        ['assumed', answer.assumptions.map((one) => assumedLine(one, style))],
        ['from your words', evidenceLines(answer.readAs ?? answer.question, answer.evidence)],
        ['also possible', answer.alternatives.map((option) => alternativeLine(option, layout))],
        ['checks', [checksLine(answer, style)]],
        ['risk', riskLines(answer, style)],
        ['how sure', sureLines(answer)],
        ['model', modelLines(answer)],
        ['see also', relatedLines(answer)],
        ['record', [recordLine(answer, layout)]],
      ],
      style,
    ),
  ];
}

function rowsBlock({ columns, rows, truncatedBy }: Answered, { style, width, maxRows }: CardLayout): string {
  if (rows.length === 0) return `no rows ${style.dim(`(${columns.map(escapeControl).join(', ')})`)}`;
  const shown = rows.slice(0, maxRows);
  const table = renderTable(columns, shown, {
    style,
    indent: '   ',
    ...(width === undefined ? {} : { width }),
  });
  const cut =
    truncatedBy === null
      ? ''
      : ` (the result was cut at the limit of ${truncatedBy}; see limits in candor.yml)`;
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}${cut}`;
  const more =
    shown.length < rows.length
      ? `first ${shown.length} of ${count}; --limit ${rows.length} shows more`
      : count;
  return `${table}\n   ${style.dim(more)}`;
}

/** A default, what to type for another, and what that would change. */
function assumedLine({ text, id, alternatives = [] }: Assumption, style: Style): string {
  if (alternatives.length === 0) return escapeControl(text);
  const choices = alternatives.map(({ choice, label, effect }) => {
    // What a model wrote has no name to type; its label says what else there is.
    const named = id === undefined ? label : shellQuote(`${id}=${choice}`);
    return effect === undefined ? named : `${named} → ${choiceEffectText(effect)}`;
  });
  const how = id === undefined ? `or: ${choices.join(' / ')}` : `--assume ${choices.join(' or ')}`;
  return `${escapeControl(text)} ${style.dim(escapeControl(`(${how})`))}`;
}

function readAsLine({ readAs }: Answer): string[] {
  return readAs === undefined ? [] : [escapeControl(`“${readAs}”`)];
}

/** Whose word it is, and where it stands. */
function verifiedLines({ verified }: Answered, style: Style): string[] {
  if (verified === undefined) return [];
  const { question, by, at, place } = verified;
  const who = [by ?? 'a person', ...(at === undefined ? [] : [`on ${at}`])].join(' ');
  return [`${style.green('✓')} ${escapeControl(`by ${who}, as “${question}” (${place})`)}`];
}

/** The card draws nothing: it says what a program would. */
function chartLines({ chart, undrawn }: Answered): string[] {
  if (undrawn !== undefined) return [`none: ${undrawn}`];
  if (chart === undefined) return [];
  const { kind, x, y, series } = chart;
  const split = series === undefined ? '' : `, one series for each ${series}`;
  return [escapeControl(`${kind}: ${y.join(', ')} by ${x}${split}`)];
}

/** What the words of the question became; defaults are listed under `assumed`. */
function evidenceLines(question: string, evidence: readonly Evidence[]): string[] {
  const lines = evidence.flatMap(({ questionSpan, part, why, certainty }) => {
    if (questionSpan === undefined) return [];
    const words = question.slice(questionSpan.start, questionSpan.end);
    const doubt = certainty === 'uncertain' ? ' (uncertain)' : '';
    return [escapeControl(`“${words}” → ${part}${doubt}: ${why}`)];
  });
  const unique = [...new Set(lines)];
  const hidden = unique.length - MAX_EVIDENCE;
  return hidden > 0 ? [...unique.slice(0, MAX_EVIDENCE), `${hidden} more in --output json`] : unique;
}

/** What people wrote that fits; one line each, the file says more. */
function relatedLines({ related, unsearched }: Answer): string[] {
  if (unsearched !== undefined) return [escapeControl(`could not be searched: ${unsearched}`)];
  return related.map(({ kind, text, place }) => {
    const said = text.replaceAll('**', '').replace(/\s+/g, ' ');
    const short = said.length > MAX_RELATED_CHARS ? `${said.slice(0, MAX_RELATED_CHARS)}…` : said;
    return escapeControl(`${kind === 'note' ? 'note' : 'verified pair'}: ${short} (${place})`);
  });
}

function checksLine({ checks }: Answered, style: Style): string {
  return checks
    .map(({ name, passed, detail }) =>
      passed
        ? `${name} ${style.green('✓')}`
        : style.red(`${name} ✗${detail ? ` ${escapeControl(detail)}` : ''}`),
    )
    .join('  ');
}

const MOST_PART_CHARS = 60;

/** Of an answer whose SQL was not assessed: a risk says it better. */
function sureLines({ probability, risk }: Answered): string[] {
  return probability === undefined || risk !== undefined ? [] : [`${Math.round(probability * 100)} %`];
}

/** One line: the whole, and the part that is weakest. */
function riskLines({ risk, unassessed }: Answered, style: Style): string[] {
  if (unassessed !== undefined) return [escapeControl(`not assessed: ${unassessed}`)];
  if (risk === undefined) return [];
  const whole = `${percent(risk.queryRisk)}${risk.action === 'warn' ? style.yellow(' (check it before you use it)') : ''}`;
  if (risk.unreadBecause !== undefined) return [`${whole}; ${escapeControl(risk.unreadBecause)}`];
  const [weakest] = risk.units;
  const rests = [
    ...(risk.basis === undefined ? [] : [restsOn(risk.basis)]),
    ...(risk.promise === undefined ? [] : [promiseText(risk.promise)]),
  ].map(style.dim);
  if (weakest === undefined) return [`${whole}; no part stands out`, ...rests];
  const { kind, text, probability } = weakest;
  const part = fitText(escapeControl(text.replace(/\s+/g, ' ')), MOST_PART_CHARS);
  const colour = probability >= LIKELY_WRONG_FROM ? style.red : style.yellow;
  return [`${whole}; weakest: ${kind} ${colour(part)} ${percent(probability)}`, ...rests];
}

function questionBlocks(answer: Clarify | FollowUp, layout: CardLayout): string[] {
  const { style } = layout;
  const subject =
    answer.kind === 'clarify'
      ? `“${escapeControl(answer.phrase)}” is not clear (${answer.gap}).`
      : `${escapeControl(answer.metric)} needs one more thing: ${escapeControl(answer.dimension)}.`;
  const options = answer.options.map(
    (option, index) =>
      ` ${style.bold(String(index + 1))}  ${escapeControl(option.label)}\n    ${style.dim(optionCommand(option, layout))}`,
  );
  return [
    `${style.yellow('?')} ${style.bold(escapeControl(answer.ask))}\n  ${style.dim(subject)}`,
    options.join('\n'),
    factsBlock(
      [
        ['see also', relatedLines(answer)],
        ['record', [recordLine(answer, layout)]],
      ],
      style,
    ),
  ];
}

function rejectBlocks(answer: Reject, layout: CardLayout): string[] {
  const { style } = layout;
  return [
    `${style.red('✗')} ${style.bold(escapeControl(answer.message))}`,
    factsBlock(
      [
        [answer.cause.replaceAll('-', ' '), [escapeControl(answer.missing)]],
        ['there is', answer.nearest.map(escapeControl)],
        ['searched', searchedLines(answer.searched)],
        ['model', modelLines(answer)],
        ['see also', relatedLines(answer)],
        ['record', [recordLine(answer, layout)]],
      ],
      style,
    ),
  ];
}

function abstainBlocks(answer: Abstain, layout: CardLayout): string[] {
  const { style } = layout;
  return [
    `${style.yellow('–')} ${style.bold('Candor would rather not answer this.')} ${escapeControl(answer.reason)}`,
    ...answer.candidates.map(({ label, sql }) =>
      sql === undefined ? escapeControl(label) : `${escapeControl(label)}\n${renderSql(sql, [], layout)}`,
    ),
    factsBlock(
      [
        ['not understood', answer.missing === undefined ? [] : [escapeControl(answer.missing)]],
        ['there is', (answer.nearest ?? []).map(escapeControl)],
        [
          'the model says',
          answer.disagreement === undefined ? [] : [escapeControl(answer.disagreement.because)],
        ],
        ['searched', searchedLines(answer.disagreement?.searched)],
        ['model', modelLines(answer)],
        ['see also', relatedLines(answer)],
        ['record', [recordLine(answer, layout)]],
      ],
      style,
    ),
  ];
}

/** What was looked through, and the nearest that it found. */
function searchedLines(searched: readonly Searched[] | undefined): string[] {
  if (searched === undefined) return [];
  const through = searched.flatMap(({ what, count }) =>
    count === 0 ? [] : [count === undefined ? what : `${count} ${what}`],
  );
  const hits = searched.flatMap(({ hits: found }) => found).sort((a, b) => b.score - a.score);
  const nearest = hits.slice(0, MOST_HITS).map(({ name, score }) => `${name} ${score.toFixed(2)}`);
  return [
    escapeControl(
      `${through.join(', ')}; ${nearest.length === 0 ? 'none is near' : `nearest: ${nearest.join(', ')}`}`,
    ),
  ];
}

/** Another reading: the command that asks for it, or its name where no question leads to it alone. */
function alternativeLine(option: Option, layout: CardLayout): string {
  return option.question === ''
    ? escapeControl(option.label || (option.sql ?? ''))
    : optionCommand(option, layout);
}

function optionCommand({ question }: Option, { askCommand }: CardLayout): string {
  return `${askCommand} ${escapeControl(shellQuote(question))}`;
}

function recordLine({ recordId, thinkMs }: Answer, { replayCommand, style }: CardLayout): string {
  return `${replayCommand} ${recordId}   ${style.dim(`${Math.round(thinkMs)} ms to decide`)}`;
}

/** Labelled lines with the labels in one column; labels without lines are left out. */
function factsBlock(facts: readonly (readonly [string, readonly string[]])[], style: Style): string {
  const present = facts.filter(([, lines]) => lines.length > 0);
  const width = Math.max(0, ...present.map(([label]) => textWidth(label)));
  return present
    .flatMap(([label, lines]) =>
      lines.map((line, index) => `${style.dim((index === 0 ? label : '').padEnd(width))}  ${line}`),
    )
    .join('\n');
}

/** Who wrote it at what cost, and what was mended; empty where no language model was asked. */
export function modelLines({ model }: Answer): string[] {
  if (model === undefined) return [];
  const { id, mode, calls, promptTokens, completionTokens, cachedTokens, cost, story } = model;
  const cached = cachedTokens ? ` (${cachedTokens.toLocaleString('en')} cached)` : '';
  const used = [
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    `${promptTokens.toLocaleString('en')}${cached} + ${completionTokens.toLocaleString('en')} tokens`,
    ...(cost === undefined ? [] : [`$${cost.toFixed(4)}`]),
  ].join(', ');
  return [`${id} (${mode}): ${used}; ${placeOf(model)}`, ...story].map(escapeControl);
}

/** Who was told; a kept reply tells nobody. */
function placeOf({ host, sent = [] }: ModelUse): string {
  if (host === null) return 'nothing left this machine';
  return sent.length > 0 && sent.every(({ outcome }) => outcome === 'replayed')
    ? 'kept replies: nothing was sent'
    : `sent to ${host}`;
}
