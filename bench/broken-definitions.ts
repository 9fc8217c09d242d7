/**
 * Golds with a definition broken: a mandatory filter taken out, another stored value, another role of a join, another time, another
 * formula. How many of them a check names, and how many have a higher risk in `candor review` than the gold itself; how many golds
 * are named wrongly, have a certain fault, or are told to be likelier wrong than right. Broken by tree from the golds of Motors and of
 * Ferrum Freight, and as people wrote them in `test/fixtures/definitions`.
 * `npx tsx bench/broken-definitions.ts [--file altered.jsonl [--project DIR --database URL]] [--misses] [--smoke] [--output json]`
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type JudgedQuery, judgeQuery } from '../src/answering/assess/judge-query.ts';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { wilsonInterval } from '../src/lab/metrics/intervals.ts';
import type { Session } from '../src/session/project/session.ts';
import { decidingFault } from '../src/uncertainty/index.ts';
import { orEnd, readOutput } from './bench-options.ts';
import { alterGold } from './broken-definitions/alter-gold.ts';
import { type AlteredLine, readAlteredLines } from './broken-definitions/altered-lines.ts';
import {
  ferrumData,
  type GoldQuestion,
  openClinic,
  openFerrum,
  openMotors,
  openProjectAt,
} from './broken-definitions/open-projects.ts';
import { printReport } from './print-report.ts';

/** Written by people: those that tests hold, and those of people who had not seen the checks. */
const WRITTEN = [
  [
    join(import.meta.dirname, '..', 'test', 'fixtures', 'definitions'),
    [
      'altered',
      'altered-held-out',
      'altered-fresh',
      'altered-worded',
      'altered-everyday',
      'altered-clinic',
      'right',
    ],
  ],
  [
    join(import.meta.dirname, 'broken-definitions', 'fresh'),
    ['motors-1', 'ferrum-1', 'motors-2', 'ferrum-2', 'clinic/pairs'],
  ],
] as const;
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
  /** The broken query has the higher risk of the two. */
  readonly isRiskier: boolean;
}

const tried: Tried[] = [];
/** Right queries by their text: several are broken in more than one way. */
const right = new Map<string, JudgedQuery>();
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
  const clinic = await openClinic(folder);
  opened.push(clinic);
  const of = ({ project = 'motors' }: AlteredLine): Session | undefined =>
    ({ motors: session, ferrum, clinic })[project];
  if (given.file !== undefined) return tryLines('file', readAlteredLines(given.file), of);
  await tryGolds('motors golds', golds, session);
  if (ferrum !== undefined) await tryGolds('ferrum golds', ferrumGolds(), ferrum);
  for (const [folder, names] of WRITTEN)
    for (const name of names) await tryLines(name, readAlteredLines(join(folder, `${name}.jsonl`)), of);
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
    const key = `${line.question} ${line.sql}`;
    const before = right.get(key) ?? (await judge(line.sql, line.question, session));
    if (before.broken.length > 0 && !right.has(key))
      say(
        `false alarm ${set} ${line.id}: ${line.question}\n   ${line.sql}\n   ${before.broken.join('\n   ')}`,
      );
    if (before.faults.length > 0 && !right.has(key))
      say(
        `fault of a gold ${set} ${line.id}: ${line.sql}\n   ${before.faults.map(({ text }) => text).join('\n   ')}`,
      );
    right.set(key, before);
    if (line.altered === '') continue;
    const after = await judge(line.altered, line.question, session);
    const isNamed = after.broken.some((text) => !before.broken.includes(text));
    const [was, is] = [before.assessment.queryRisk, after.assessment.queryRisk];
    tried.push({ set, kind: line.kind, isNamed, isRiskier: is > was });
    if (!isNamed || is <= was)
      say(
        `${is > was ? 'riskier, but not named' : 'not riskier'} (${was.toFixed(3)}, then ${is.toFixed(3)}) ${set} ${line.id} (${line.kind}: ${line.what}): ${line.question}\n   ${line.altered}`,
      );
  }
}

/** As `candor review` judges what somebody unknown wrote for this question. */
async function judge(sql: string, question: string, session: Session): Promise<JudgedQuery> {
  const scoring = await session.scoring();
  const judged = judgeQuery(sql, session, scoring, { asked: scoring.prepare(question), held: question });
  if (!judged.read.ok) throw new RangeError(`${judged.read.because}: ${sql}`);
  return judged;
}

function say(text: string): void {
  if (given.misses) process.stderr.write(`${text}\n`);
}

function report(): void {
  const groups = [...new Set(tried.map(({ set, kind }) => `${set}|${kind}`))];
  const golds = [...right.values()];
  const rows = groups.map((group) => {
    const [set = '', kind = ''] = group.split('|');
    return rowOf(
      { set, kind },
      tried.filter((one) => one.set === set && one.kind === kind),
    );
  });
  printReport(
    {
      bench: 'broken-definitions',
      about:
        'broken queries that a check names, and those riskier than the gold itself; 95 % intervals after Wilson of the second, in percent',
      rows: [...rows, rowOf({ set: 'all', kind: 'all' }, tried)],
      figures: {
        named: tried.filter(({ isNamed }) => isNamed).length,
        riskier: tried.filter(({ isRiskier }) => isRiskier).length,
        of: tried.length,
        right: golds.length,
        falseAlarms: golds.filter(({ broken }) => broken.length > 0).length,
        rightWithFault: golds.filter(({ faults }) => faults.length > 0).length,
        rightSurelyWrong: golds.filter(({ faults }) => decidingFault(faults) !== undefined).length,
        rightAboveHalf: golds.filter(({ assessment }) => assessment.queryRisk > 0.5).length,
      },
    },
    { isSmoke: given.smoke, output },
  );
}

function rowOf(
  names: { readonly set: string; readonly kind: string },
  pairs: readonly Tried[],
): Record<string, string | number> {
  const riskier = pairs.filter(({ isRiskier }) => isRiskier).length;
  const { low, high } = wilsonInterval(riskier, pairs.length);
  return {
    ...names,
    named: pairs.filter(({ isNamed }) => isNamed).length,
    riskier,
    of: pairs.length,
    low: Math.round(1000 * low) / 10,
    high: Math.round(1000 * high) / 10,
  };
}
