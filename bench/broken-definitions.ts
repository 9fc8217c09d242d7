/**
 * Golds with a definition broken, and how many of them a check names: a mandatory filter taken out, another stored value, another role of
 * a join, another time, another formula; and how many right queries are named wrongly. Broken by tree from the golds of Motors and of
 * Ferrum Freight, and as people wrote them in `test/fixtures/definitions`.
 * `npx tsx bench/broken-definitions.ts [--file altered.jsonl [--project DIR --database URL]] [--misses] [--smoke] [--output json]`
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { prepareSchemaFacts } from '../src/faults/index.ts';
import { wilsonInterval } from '../src/lab/metrics/intervals.ts';
import type { Session } from '../src/session/project/session.ts';
import { diagnoseSql } from '../src/validation/index.ts';
import { orEnd, readOutput } from './bench-options.ts';
import { alterGold } from './broken-definitions/alter-gold.ts';
import { type AlteredLine, readAlteredLines } from './broken-definitions/altered-lines.ts';
import {
  ferrumData,
  type GoldQuestion,
  openFerrum,
  openMotors,
  openProjectAt,
} from './broken-definitions/open-projects.ts';
import { printReport } from './print-report.ts';

const FIXTURES = join(import.meta.dirname, '..', 'test', 'fixtures', 'definitions');
const SMOKE_LINES = 3;

const { values: given } = orEnd(() =>
  parseArgs({
    options: {
      file: { type: 'string' },
      project: { type: 'string' },
      database: { type: 'string' },
      misses: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
    },
  }),
);
const output = orEnd(() => readOutput(given.output));
const folder = mkdtempSync(join(tmpdir(), 'candor-broken-definitions-'));
const { dataDirectory } = readTerminalEnvironment();

interface Tried {
  readonly set: string;
  readonly kind: string;
  readonly isNamed: boolean;
}

const tried: Tried[] = [];
/** Right queries by their text: several are broken in more than one way. */
const right = new Map<string, boolean>();
const opened: Session[] = [];

try {
  if (given.project !== undefined && given.database !== undefined && given.file !== undefined) {
    const session = await openProjectAt({ project: given.project, database: given.database, folder });
    opened.push(session);
    await tryLines('file', readAlteredLines(given.file), () => session);
  } else await tryAll();
  report();
} finally {
  for (const session of opened) await session.close();
  rmSync(folder, { recursive: true, force: true });
}

async function tryAll(): Promise<void> {
  const { session, golds } = await openMotors(folder, ['motors', 'motors-held-out', 'motors-held-out-2']);
  opened.push(session);
  const ferrum = await openFerrum(folder, dataDirectory);
  if (ferrum === undefined)
    process.stderr.write(
      `broken-definitions: Ferrum Freight was left out, its data is not at ${ferrumData(dataDirectory)}\n`,
    );
  else opened.push(ferrum);
  const of = ({ project }: AlteredLine): Session | undefined => (project === 'ferrum' ? ferrum : session);
  if (given.file !== undefined) return tryLines('file', readAlteredLines(given.file), of);
  await tryGolds('motors golds', golds, session);
  if (ferrum !== undefined) await tryGolds('ferrum golds', ferrumGolds(), ferrum);
  for (const name of [
    'altered',
    'altered-held-out',
    'altered-fresh',
    'altered-worded',
    'altered-everyday',
    'right',
  ])
    if (existsSync(join(FIXTURES, `${name}.jsonl`)))
      await tryLines(name, readAlteredLines(join(FIXTURES, `${name}.jsonl`)), of);
}

function ferrumGolds(): readonly GoldQuestion[] {
  const lines = readFileSync(join(ferrumData(dataDirectory), 'questions.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.flatMap((line) => {
    const {
      id,
      question,
      gold = [],
    } = JSON.parse(line) as {
      readonly id: string;
      readonly question: string;
      readonly gold?: readonly { readonly sql: string; readonly with_project?: boolean }[];
    };
    // The first reading is the project's own.
    const own = gold.find((one) => one.with_project);
    return own === undefined ? [] : [{ id, question, sql: own.sql }];
  });
}

async function tryGolds(set: string, golds: readonly GoldQuestion[], session: Session): Promise<void> {
  const lines = golds.flatMap((gold) => {
    const altered = alterGold(gold.sql, session);
    return altered.length === 0
      ? [{ ...gold, kind: 'none', altered: '', what: '' }]
      : altered.map((one) => ({ ...gold, ...one }));
  });
  await tryLines(set, lines, () => session);
}

async function tryLines(
  set: string,
  lines: readonly AlteredLine[],
  sessionOf: (line: AlteredLine) => Session | undefined,
): Promise<void> {
  for (const line of given.smoke ? lines.slice(0, SMOKE_LINES) : lines) {
    const session = sessionOf(line);
    if (session === undefined) continue;
    const before = await brokenIn(line.sql, line.question, session);
    const key = `${line.question} ${line.sql}`;
    if (before.length > 0 && !right.has(key))
      say(`false alarm ${set} ${line.id}: ${line.question}\n   ${line.sql}\n   ${before.join('\n   ')}`);
    right.set(key, before.length > 0);
    if (line.altered === '') continue;
    const after = await brokenIn(line.altered, line.question, session);
    const isNamed = after.some((text) => !before.includes(text));
    tried.push({ set, kind: line.kind, isNamed });
    if (!isNamed)
      say(`missed ${set} ${line.id} (${line.kind}: ${line.what}): ${line.question}\n   ${line.altered}`);
  }
}

async function brokenIn(
  sql: string,
  question: string,
  { catalog, semantics }: Session,
): Promise<readonly string[]> {
  const definitions = { semantics, question };
  const { problems } = await diagnoseSql(sql, { schema: prepareSchemaFacts(catalog), definitions });
  const unread = problems.filter(({ kind }) => kind === 'parse');
  if (unread.length > 0) throw new RangeError(`${unread.map(({ text }) => text).join('; ')}: ${sql}`);
  return problems.flatMap(({ kind, text }) => (kind === 'definition' ? [text] : []));
}

function say(text: string): void {
  if (given.misses) process.stderr.write(`${text}\n`);
}

function report(): void {
  const groups = [...new Set(tried.map(({ set, kind }) => `${set}|${kind}`))];
  const alarms = [...right.values()].filter(Boolean).length;
  const rows = groups.map((group) => {
    const [set = '', kind = ''] = group.split('|');
    return rowOf(
      { set, kind },
      tried.filter((one) => one.set === set && one.kind === kind).map((one) => one.isNamed),
    );
  });
  printReport(
    {
      bench: 'broken-definitions',
      about:
        'altered queries that a check names, and right ones that are named wrongly; 95 % intervals after Wilson, in percent',
      rows: [
        ...rows,
        rowOf(
          { set: 'all', kind: 'all' },
          tried.map(({ isNamed }) => isNamed),
        ),
        rowOf({ set: 'right SQL', kind: 'false alarms' }, [...right.values()]),
      ],
      figures: {
        named: tried.filter(({ isNamed }) => isNamed).length,
        of: tried.length,
        falseAlarms: alarms,
        right: right.size,
      },
    },
    { isSmoke: given.smoke, output },
  );
}

function rowOf(
  names: { readonly set: string; readonly kind: string },
  hits: readonly boolean[],
): Record<string, string | number> {
  const named = hits.filter(Boolean).length;
  const { low, high } = wilsonInterval(named, hits.length);
  return {
    ...names,
    named,
    of: hits.length,
    low: Math.round(1000 * low) / 10,
    high: Math.round(1000 * high) / 10,
  };
}
