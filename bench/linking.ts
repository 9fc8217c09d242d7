/**
 * Schema linking without a model: what each way keeps of what questions need, the curve over what may be lost, and how long
 * it takes. Every fourth database of Spider2-Snow, in the order of the alphabet, was left out when the forests learned; those stand apart.
 * `npx tsx bench/linking.ts [--smoke] [--output json]`
 */
import { join } from 'node:path';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { findLinker } from '../src/lab/linking/linkers/find-linker.ts';
import type { LinkerName } from '../src/lab/linking/linkers/linker-names.ts';
import { readLinkSet } from '../src/lab/linking/read-link-set.ts';
import { type ItemScore, scoreItems } from '../src/lab/linking/score/score-items.ts';
import type { LinkCase, LinkSet, LinkSetName } from '../src/lab/linking/sets/link-set.ts';
import { isLeftOut } from '../src/lab/linking/training/left-out.ts';
import { CHOICE_RISKS, type ChoiceRisks } from '../src/reasoning/grounded/linking/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';

const ABOUT =
  'tables and columns kept of those that gold SQL uses, zero tokens; table: what F1 is worth beside having all, column: needed ones that may be lost';
const SETS: readonly LinkSetName[] = ['bird', 'spider', 'snow', 'ambidb'];
const SMOKE: Readonly<Record<string, ReadonlySet<string>>> = {
  bird: new Set(['superhero']),
  snow: new Set(['CHINOOK', 'WWE']),
};
const WAYS: readonly LinkerName[] = ['votes', 'filter', 'rankers', 'retrieval'];
const CURVE: readonly ChoiceRisks[] = [
  { table: 0.2, column: 0.1 },
  { table: 0.35, column: 0.2 },
  { table: 0.8, column: 0.4 },
  { table: 1.5, column: 0.8 },
];

const options = readBenchOptions();
const data =
  readTerminalEnvironment().dataDirectory ?? join(import.meta.dirname, '..', '..', 'shared', 'data');
const { cacheDirectory } = resolvePlaces({});
const rows: Record<string, string | number>[] = [];
const figures: Record<string, number> = {};
try {
  for (const name of options.isSmoke ? SETS.filter((set) => set in SMOKE) : SETS) {
    const only = options.isSmoke ? SMOKE[name] : undefined;
    const set = await readLinkSet(name, { dataDirectory: data, ...(only && { only }) });
    await measureSet(name, set);
  }
  printReport({ bench: 'linking', about: ABOUT, rows, figures }, options);
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`linking: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

async function measureSet(name: LinkSetName, set: LinkSet): Promise<void> {
  const usual = await linkAll(name, set, 'grounded');
  rows.push({ set: name, way: 'grounded', ...CHOICE_RISKS, ...summarise(usual) });
  if (name === 'snow') {
    const order = [...set.databases.keys()].sort();
    const leftOut = usual.filter(({ asked }) => isLeftOut(order.indexOf(asked.database)));
    rows.push({ set: 'snow, left out', way: 'grounded', ...CHOICE_RISKS, ...summarise(leftOut) });
    const [largest] = [...set.databases.values()].sort((left, right) => columnsOf(right) - columnsOf(left));
    const own = usual.filter(({ asked }) => asked.database === largest?.name).map(({ ms }) => ms);
    if (largest !== undefined) figures.columnsOfLargest = columnsOf(largest);
    figures.p95MsOfLargest = percentile(own, 0.95);
    const wide = usual.filter(({ asked }) => columnsOf(set.databases.get(asked.database)) > 20_000);
    if (wide.length > 0)
      figures.p95MsBeyond20000Columns = percentile(
        wide.map(({ ms }) => ms),
        0.95,
      );
  }
  for (const risks of CURVE)
    rows.push({
      set: name,
      way: 'grounded',
      ...risks,
      ...summarise(await linkAll(name, set, 'grounded', risks)),
    });
  for (const way of WAYS)
    rows.push({ set: name, way, table: '', column: '', ...summarise(await linkAll(name, set, way)) });
}

function columnsOf(
  database:
    | { readonly catalog: { readonly tables: readonly { readonly columns: readonly unknown[] }[] } }
    | undefined,
): number {
  return database?.catalog.tables.reduce((sum, { columns }) => sum + columns.length, 0) ?? 0;
}

interface Linked {
  readonly asked: LinkCase;
  readonly tables: ItemScore;
  readonly fields?: ItemScore;
  readonly kept: number;
  readonly ms: number;
}

async function linkAll(
  set: LinkSetName,
  { cases, databases }: LinkSet,
  way: LinkerName,
  risks?: ChoiceRisks,
): Promise<Linked[]> {
  const linker = await findLinker(way, { set, dataDirectory: data, cacheDirectory, ...(risks && { risks }) });
  const linked: Linked[] = [];
  for (const [name, database] of databases) {
    const own = cases.filter((each) => each.database === name);
    if (own.length === 0) continue;
    const open = await linker.open(database);
    // The first question fills caches; it is asked again with the others.
    await open.link(own[0]!);
    for (const asked of own) {
      const from = performance.now();
      const found = await open.link(asked);
      const ms = performance.now() - from;
      linked.push({
        asked,
        tables: scoreItems(asked.goldTables, found.tables),
        ...(asked.goldFields && { fields: scoreItems(asked.goldFields, found.fields) }),
        kept: found.fields.size,
        ms,
      });
    }
    await open.close();
  }
  return linked;
}

function summarise(linked: readonly Linked[]): Record<string, number> {
  const fields = linked.flatMap((each) => each.fields ?? []);
  const tables = linked.map((each) => each.tables);
  const ms = linked.map((each) => each.ms);
  return {
    questions: linked.length,
    fieldSrr: mean(fields, 'strict'),
    fieldNsr: mean(fields, 'recall'),
    fieldNsp: mean(fields, 'precision'),
    fieldNsf: mean(fields, 'f1'),
    tableSrr: mean(tables, 'strict'),
    tableNsr: mean(tables, 'recall'),
    tableNsp: mean(tables, 'precision'),
    tableNsf: mean(tables, 'f1'),
    columns: Math.round(linked.reduce((sum, { kept }) => sum + kept, 0) / Math.max(1, linked.length)),
    p50Ms: percentile(ms, 0.5),
    p95Ms: percentile(ms, 0.95),
  };
}

function mean(scores: readonly ItemScore[], key: keyof ItemScore): number {
  return Number(
    ((100 * scores.reduce((sum, each) => sum + each[key], 0)) / Math.max(1, scores.length)).toFixed(2),
  );
}
