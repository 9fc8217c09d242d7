/** The measured part of `lake/catalog.ts`, for one size: sends one message with what it took. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type Random } from '../../src/demo/motors/random.ts';
import type { LakeScope } from '../../src/knowledge/lake/lake-scope.ts';
import { type Lake, openLake } from '../../src/knowledge/lake/open-lake.ts';
import { searchLake } from '../../src/knowledge/lake/search-lake.ts';
import { RETRIEVAL_DEFAULTS } from '../../src/knowledge/retrieve/index.ts';
import type { Found, FoundTable } from '../../src/knowledge/retrieve/settings/retrieved.ts';
import { percentile } from '../figures.ts';
import { benchCompany, INDEX_FILE } from './bench-company.ts';
import { askFts, buildFts } from './catalog-peer.ts';
import { companySource } from './company-source.ts';
import { timedSource } from './timed-source.ts';

const SEED = 7;
const LOOKED_UP = 50;
const LOOKUPS = 100;
/** Clusters of a person, at most; sixteen teams are some 20,000 tables. */
const MOST_PARTS = 16;
const STANDING = { isCertified: false, isDeprecated: false, popularity: 0 };

const [folder = '', tablesText = '', questionsText = ''] = process.argv.slice(2);
const tables = Number(tablesText);
const questions = Number(questionsText);
const company = benchCompany(tables, questions);
const path = join(folder, 'lake.sqlite');
/** The highest so far, by the system. */
const peakMb = (): number => process.resourceUsage().maxRSS / 1024;
const timed = async <T>(work: () => Promise<T>) => {
  const from = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  return { result, ms, cpuMs: (user + system) / 1000 };
};

let lake = await openLake(path, 'bench');
const full = await refresh(0);
const fullMb = peakMb();
const drift = await refresh(1);
const same = await refresh(1);
const parts = await timed(() => putTeams(lake));
lake.close();

// A new process would find the file as it is: nothing of it is in memory.
lake = await openLake(path, 'bench');
const lookups = await lookUp(lake, createRandom(SEED));
const { scoped, whole, first, found, named, scopes } = await askAll(lake);
const stats = await lake.stats();
lake.close();
const searchMb = peakMb();
const bytes = statSync(path).size;
rmSync(path);

const peer = await measurePeer();
process.send?.({
  tables,
  fullSeconds: full.ms / 1000,
  fullSourceSeconds: full.sourceMs / 1000,
  driftTables: drift.changed,
  driftSeconds: drift.ms / 1000,
  driftSourceSeconds: drift.sourceMs / 1000,
  fullCpuSeconds: full.cpuMs / 1000,
  driftCpuSeconds: drift.cpuMs / 1000,
  sameSeconds: same.ms / 1000,
  partSeconds: parts.ms / 1000,
  fullMb,
  searchMb,
  fileMb: bytes / 1024 ** 2,
  segments: stats.segments,
  lookupP50Ms: percentile(lookups, 0.5),
  lookupP95Ms: percentile(lookups, 0.95),
  scopeP50: percentile(scopes, 0.5),
  scopeMost: Math.max(...scopes),
  firstMs: first,
  scopedP50Ms: percentile(
    scoped.map(({ ms }) => ms),
    0.5,
  ),
  scopedP95Ms: percentile(
    scoped.map(({ ms }) => ms),
    0.95,
  ),
  // Of all threads of the process, also where others keep the machine busy.
  scopedP95CpuMs: percentile(
    scoped.map(({ cpuMs }) => cpuMs),
    0.95,
  ),
  wholeP50Ms: percentile(whole, 0.5),
  wholeP95Ms: percentile(whole, 0.95),
  foundShare: found,
  namedShare: named,
  ...peer,
});
process.disconnect?.();

async function refresh(epoch: number) {
  const source = timedSource(companySource(company, epoch, join(folder, INDEX_FILE)));
  const { result, ms, cpuMs } = await timed(() => lake.refresh(source, { database: 'lake' }));
  return { ms, cpuMs, sourceMs: source.ms(), changed: result.changed + result.removed };
}

/** A cluster for each team: its tables. */
async function putTeams(into: Lake): Promise<void> {
  for (let team = 0; team < company.teams; team += 1)
    await into.putPart({ name: partName(team), stamp: '1' }, idsOfTeam(team));
}

/** One at a time: a list of all would be the largest thing in memory. */
function* idsOfTeam(team: number): Generator<string> {
  for (let table = team; table < company.tables; table += company.teams)
    if (company.teamOfTable(table) === team) yield company.tableId(table);
}

function partName(team: number): string {
  return `team ${team}`;
}

async function lookUp(from: Lake, random: Random): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < LOOKUPS; at += 1) {
    const ids = Array.from({ length: LOOKED_UP }, () => company.tableId(random.integer(0, tables - 1)));
    times.push((await timed(() => from.tables(ids))).ms);
  }
  return times;
}

/** Every question is another person's, about a table they read; in each eighth the table is named and not theirs. */
async function askAll(from: Lake) {
  const random = createRandom(SEED + 1);
  const scoped: { ms: number; cpuMs: number }[] = [];
  const whole: number[] = [];
  const scopes: number[] = [];
  let first = 0;
  const hits = { asked: 0, found: 0, named: 0, foundNamed: 0 };
  for (let user = 0; user < questions; user += 1) {
    const { scope, size } = scopeOf(user, random);
    scopes.push(size);
    const isNamed = user % 8 === 7;
    const about = pickTable(user, isNamed, random);
    if (about === undefined) continue;
    const question = isNamed ? `how many rows are in ${about.name}?` : questionOf(about, random);
    const mine = await timed(() => ask(from, question, scope));
    if (user === 0) first = mine.ms;
    else scoped.push(mine);
    whole.push((await timed(() => ask(from, question))).ms);
    const isFound = mine.result.some((each) => holds(each, about.id));
    hits[isNamed ? 'named' : 'asked'] += 1;
    if (isFound) hits[isNamed ? 'foundNamed' : 'found'] += 1;
  }
  const { asked, found, named, foundNamed } = hits;
  return { scoped, whole, scopes, first, found: found / asked, named: foundNamed / Math.max(1, named) };
}

async function ask(from: Lake, question: string, scope?: LakeScope): Promise<readonly Found<FoundTable>[]> {
  const request = { question, ...(scope && { scope }) };
  const { tables: best } = await searchLake(
    request,
    { lake: from, standing: () => STANDING },
    RETRIEVAL_DEFAULTS,
  );
  return best;
}

function holds({ item }: Found<FoundTable>, id: string): boolean {
  return item.tableId === id || item.family?.members.includes(id) === true;
}

/** The own team, as many others as chance gives, and every table read. */
function scopeOf(user: number, random: Random): { readonly scope: LakeScope; readonly size: number } {
  const count = random.integer(1, Math.min(MOST_PARTS, company.teams));
  const own = company.teamOfUser(user);
  const teams = [
    ...new Set([own, ...Array.from({ length: count - 1 }, () => random.integer(0, company.teams - 1))]),
  ];
  const reads = company.readsOf(user).map(({ table }) => company.tableId(table));
  const size = Math.round((teams.length * tables) / company.teams) + reads.length;
  return { scope: { parts: teams.map(partName), tables: reads, without: reads.slice(0, 3) }, size };
}

/** As it is after the drift; undefined: it was dropped. */
function pickTable(user: number, isNamed: boolean, random: Random) {
  const reads = company.readsOf(user).slice(3);
  const read = isNamed ? random.integer(0, tables - 1) : random.pick(reads).table;
  return company.table(read, 1);
}

function questionOf(
  { name, columns }: { name: string; columns: readonly { name: string; family: string }[] },
  random: Random,
): string {
  const words = name.replace(/_(?:v2|tmp|backup|old|staging)?_?\d+$/, '').replaceAll('_', ' ');
  const numbers = columns.filter(({ family, name: own }) => family === 'number' && !own.endsWith('_id'));
  const measure = random.pick(numbers).name;
  const by = random.pick(['city', 'category', 'status', 'name']);
  return random.pick([
    `What is the total ${measure} of each ${words} by ${by}?`,
    `How many ${words}s have a ${measure} above 100 per ${by}?`,
    `Show the average ${measure} of all ${words} for every ${by} this year`,
  ]);
}

/** Plain FTS5 over the same texts, the whole lake each time. */
async function measurePeer() {
  const file = join(folder, 'peer.sqlite');
  const built = await timed(() => buildFts(file, company));
  const random = createRandom(SEED + 1);
  const times: number[] = [];
  for (let user = 0; user < Math.min(questions, 40); user += 1) {
    const about = pickTable(user, false, random);
    if (about === undefined) continue;
    times.push((await timed(() => askFts(built.result, questionOf(about, random)))).ms);
  }
  built.result.close();
  return {
    ftsSeconds: built.ms / 1000,
    ftsP50Ms: percentile(times, 0.5),
    ftsP95Ms: percentile(times, 0.95),
  };
}
