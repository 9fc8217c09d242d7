import type { Cell } from '../../sql/dialects/cell.ts';
import type { TestRun } from './run-tests.ts';
import { type CaseResult, isBad, type Problem, type TurnResult } from './test-result.ts';

/**
 * A run as JUnit XML, as CI servers read it: one testsuite a file. A case known to fail is skipped with its reason; one that was
 * not asked is skipped too. Source: the schema that Jenkins and GitLab document.
 */
export function renderJunit({ results, seconds }: TestRun): string {
  const files = [...new Set(results.map(({ tested }) => tested.file))];
  const suites = files.map((file) =>
    renderSuite(
      file,
      results.filter(({ tested }) => tested.file === file),
    ),
  );
  const all = attributes({ name: 'candor test', ...tally(results), time: seconds.toFixed(3) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${all}>\n${suites.join('')}</testsuites>\n`;
}

function renderSuite(file: string, results: readonly CaseResult[]): string {
  const time = seconds(results.reduce((sum, { ms }) => sum + ms, 0));
  const head = attributes({ name: file, ...tally(results), time });
  return `  <testsuite${head}>\n${results.map(renderCase).join('')}  </testsuite>\n`;
}

function tally(results: readonly CaseResult[]): Readonly<Record<string, number>> {
  const bad = results.filter(isBad).length;
  const errors = results.filter(({ status }) => status === 'error').length;
  const skipped = results.filter((result) => skippedBecause(result) !== undefined).length;
  return { tests: results.length, failures: bad - errors, errors, skipped };
}

function renderCase(result: CaseResult): string {
  const { tested, ms } = result;
  const said = tested.turns.map(({ says }) => says.text).join(' → ');
  const head = attributes({
    classname: tested.file.replace(/\.ya?ml$/, '').replaceAll(/[\\/]/g, '.'),
    name: `${tested.id}: ${said}`,
    file: tested.file,
    line: tested.line,
    time: seconds(ms),
  });
  const body = renderStatus(result);
  return body === '' ? `    <testcase${head}/>\n` : `    <testcase${head}>\n${body}    </testcase>\n`;
}

function renderStatus(result: CaseResult): string {
  const because = skippedBecause(result);
  if (because !== undefined) return `      <skipped${attributes({ message: because })}/>\n`;
  if (!isBad(result)) return '';
  const { status, tested } = result;
  const tag = status === 'error' ? 'error' : 'failure';
  if (status === 'unexpected-pass') {
    const message = `it passes although it is known to fail (${tested.knownFailure}): remove knownFailure`;
    return `      <${tag}${attributes({ message, type: status })}/>\n`;
  }
  const bad = result.runs.flatMap(({ turns }) => turns.filter(({ problems }) => problems.length > 0));
  const right = result.runs.filter(({ isRight }) => isRight).length;
  const share = result.runs.length > 1 ? ` (right in ${right} of ${result.runs.length} draws)` : '';
  const [first] = bad.flatMap(({ problems }) => problems);
  const message = `${first?.text ?? status}${share}`;
  const text = bad.map(renderTurn).join('\n\n');
  return `      <${tag}${attributes({ message, type: first?.what ?? status })}>${escapeXml(text)}</${tag}>\n`;
}

function skippedBecause({ status, tested }: CaseResult): string | undefined {
  if (status === 'skipped') return tested.skip;
  if (status === 'known') return `known to fail: ${tested.knownFailure}`;
  return status === 'not-asked' ? 'not asked: the run ended before' : undefined;
}

function renderTurn({ says, problems, sql, said, recordId }: TurnResult): string {
  return [
    says,
    ...problems.map(renderProblem),
    ...(sql === undefined ? [] : [`SQL that came:\n${sql}`]),
    ...(said === undefined ? [] : [`what was said: ${said}`]),
    ...(recordId === undefined ? [] : [`candor replay ${recordId}`]),
  ].join('\n');
}

function renderProblem({ text, difference }: Problem): string {
  if (difference === undefined) return text;
  const { missing, extra, expected, actual } = difference;
  const list = (sign: string, rows: typeof missing.rows): string[] =>
    rows.map((row) => `  ${sign} ${row.map(cellText).join(' | ')}`);
  return [
    text,
    `expected ${expected.rows} × ${expected.columns}, came ${actual.rows} × ${actual.columns} (rows × columns)`,
    ...list('-', missing.rows),
    ...list('+', extra.rows),
  ].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
// What XML 1.0 cannot hold, not even as a reference: most of C0, lone surrogates and two non-characters.
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text for an element or an attribute; what XML cannot hold is written as `\u001b`. Line breaks stay in both. */
function escapeXml(text: string): string {
  return text
    .replace(NOT_XML, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (character) => MARKS[character] ?? character)
    .replace(/[\t\n\r\u007f-\u009f]/g, (character) =>
      character === '\n' || character === '\t' ? character : `&#${character.charCodeAt(0)};`,
    );
}

/** One cell in a report: NULL, bytes in hexadecimal, everything else as it reads. */
function cellText(cell: Cell): string {
  if (cell === null) return 'NULL';
  return cell instanceof Uint8Array ? `x'${Buffer.from(cell).toString('hex').slice(0, 32)}'` : String(cell);
}
