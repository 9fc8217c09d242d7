/**
 * What the guard's analysis of a statement costs when somebody makes it cost: for each kind of hostile text the
 * milliseconds of the processor at 25, 50 and 100 kB, how they grow (1 is in proportion to the text), and how they stand beside reading
 * the same text alone. A policy restricts five tables of a catalog of 5,000.
 * `npx tsx bench/guard-growth.ts [--smoke] [--output json]`
 */

import { analyseStatement } from '../src/database/guard/analyse-statement.ts';
import { createGate } from '../src/database/guard/create-gate.ts';
import { CandorError } from '../src/errors.ts';
import { lexSql } from '../src/sql/index.ts';
import {
  HOSTILE_KINDS,
  HOSTILE_POLICY,
  type HostileKind,
  hostileCatalog,
} from '../test/fixtures/sql/hostile-texts.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent } from './figures.ts';
import { printReport } from './print-report.ts';

const SIZES = [25_000, 50_000, 100_000];
const SMOKE_SIZES = [500, 1_000];
const ALLOWED_MS = 150;
/** Below this the clock and the compiler decide, not the text. */
const LEAST_MS = 5;
/** The clock counts microseconds. */
const LEAST_LEX_MS = 0.001;

const options = readBenchOptions();
const rounds = options.isSmoke ? 1 : 3;
const catalog = hostileCatalog(options.isSmoke ? 50 : 5_000);
const gates = new Map(
  [...new Set(HOSTILE_KINDS.map(({ dialect }) => dialect))].map((dialect) => [dialect, gateFor(dialect)]),
);

// Once unmeasured, so that no kind pays for code that is not compiled yet.
if (!options.isSmoke) for (const kind of HOSTILE_KINDS.slice(0, 10)) measure(kind, 4_000);
const rows = HOSTILE_KINDS.map(rowFor);
const slow = rows.filter(({ ms }) => ms > ALLOWED_MS);
printReport(
  {
    bench: 'guard-growth',
    about: `${HOSTILE_KINDS.length} kinds of hostile statement; ms of the processor, fastest of ${rounds}, at the largest size`,
    rows: rows.sort((a, b) => b.ms - a.ms),
    figures: {
      kinds: rows.length,
      slowestMs: Math.max(...rows.map(({ ms }) => ms)),
      [`over${ALLOWED_MS}Ms`]: slow.length,
      largestExponent: Math.max(...rows.map(({ exponent }) => exponent)),
    },
  },
  options,
);
if (slow.length > 0 && !options.isSmoke) process.exitCode = 1;

function gateFor(dialect: HostileKind['dialect']) {
  const given = {
    kind: 'caller-queries',
    catalog,
    policy: HOSTILE_POLICY,
    properties: { tenant: 7 },
  } as const;
  return createGate(given, dialect);
}

function rowFor(kind: HostileKind) {
  const points = (options.isSmoke ? SMOKE_SIZES : SIZES).map((size) => ({ size, ...measure(kind, size) }));
  const last = points.at(-1);
  if (last === undefined) throw new Error('no size');
  const grown = points.filter(({ ms }) => ms > LEAST_MS).map(({ size, ms }) => [size, ms] as const);
  return {
    kind: `${kind.dialect}: ${kind.name}`,
    ms: last.ms,
    exponent: grown.length < 2 ? 0 : growthExponent(grown),
    timesLexing: last.ms / Math.max(last.lexMs, LEAST_LEX_MS),
    outcome: last.outcome,
  };
}

function measure(kind: HostileKind, size: number) {
  const text = kind.make(size);
  let [ms, lexMs, outcome] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, ''];
  for (let round = 0; round < rounds && (round === 0 || ms < 1_000); round += 1) {
    let from = process.cpuUsage();
    lexSql(text, kind.dialect);
    lexMs = Math.min(lexMs, cpuMs(from));
    from = process.cpuUsage();
    outcome = analyse(text, kind);
    ms = Math.min(ms, cpuMs(from));
  }
  return { ms, lexMs, outcome };
}

function analyse(text: string, { dialect }: HostileKind): string {
  const gate = gates.get(dialect);
  if (gate === undefined) throw new Error(dialect);
  try {
    return analyseStatement(text, { gate, dialect, own: [] }).isRestricted ? 'restricted' : 'passed';
  } catch (error) {
    if (!(error instanceof CandorError)) return `NOT TYPED: ${String(error).slice(0, 60)}`;
    return `${error.code}: ${error.message.replaceAll(/\s+/g, ' ').slice(0, 60)}`;
  }
}

/** Of the processor, so that what else runs on the machine does not count. */
function cpuMs(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}
