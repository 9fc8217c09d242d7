import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { areaUnderCurve } from '../../bench/boosting/area-under-curve.ts';
import { growthExponent, percentile } from '../../bench/figures.ts';
import { readTerminalEnvironment } from '../../src/config/index.ts';
import {
  COUNTED_FAULTS,
  COUNTED_REFUSALS,
  DECIDES_FROM,
} from '../../src/uncertainty/policy/fault-precision.ts';
import { ROOT } from '../repo/read-imports.ts';
import { positive, readReport, runBench } from './run-bench.ts';

const dataDirectory = readTerminalEnvironment().dataDirectory ?? join(ROOT, '..', 'shared', 'data');
/** Made by the first run of the bench, which fetches it. */
const hasSqlglot =
  existsSync(join(ROOT, '.cache')) &&
  readdirSync(join(ROOT, '.cache')).some((name) => name.startsWith('sqlglot-'));
const hasSnow = existsSync(join(dataDirectory, 'spider2_snow', 'schema.jsonl.gz'));
const hasSklearn =
  existsSync(join(ROOT, '.cache')) &&
  readdirSync(join(ROOT, '.cache')).some((name) => name.startsWith('scikit-learn-'));
const hasLightgbm =
  existsSync(join(ROOT, '.cache')) &&
  readdirSync(join(ROOT, '.cache')).some(
    (name) => name.startsWith('lightgbm-') && existsSync(join(ROOT, '.cache', name, 'finished')),
  );
const hasSpider = existsSync(join(dataDirectory, 'spider', 'dev.json'));
const hasBirdTrain = existsSync(join(dataDirectory, 'bird', 'train', 'train.jsonl'));
const hasBirdDev = existsSync(join(dataDirectory, 'bird', 'dev', 'dev.json'));
const hasFerrum = hasBirdDev && existsSync(join(dataDirectory, 'ferrum', 'make_database.py'));
const hasPredictions = existsSync(join(dataDirectory, 'preds', 'bird_dev.jsonl.gz'));
const hasVoting = hasPredictions && existsSync(join(dataDirectory, 'bird', 'databases', 'toxicology'));

/** Faults of queries that run and are never answered without a warning. */
const DECIDING: ReadonlySet<string> = new Set(['misspelt-literal', 'wrong-join']);
const FAULT_ROW = z.object({ part: z.string(), fault: z.string(), wrong: z.number(), of: z.number() });

const hasWarehouse = existsSync(join(dataDirectory, 'spider2_snow', 'schema.jsonl.gz'));

describe('benches run', () => {
  it('question-latency', () => {
    const { bench, rows, figures } = readReport(runBench('question-latency'));
    expect(bench).toBe('question-latency');
    expect(rows.map(({ tables, values }) => [tables, values])).toEqual([
      [10, 2_000],
      [20, 4_000],
    ]);
    for (const key of ['p50Ms', 'p95Ms', 'maxMs', 'valuesMs', 'buildMs', 'rightTablesPercent'])
      positive(rows, key);
    expect(Object.keys(figures)).toContain('p50Growth');
  });

  it('question-time, of this checkout beside itself', () => {
    const { rows, figures } = readReport(runBench('question-time'));
    for (const key of ['beforeMs', 'nowMs']) positive(rows, key);
    expect(Object.keys(figures)).toEqual(['p50Ratio', 'p95Ratio']);
  });

  it('files', () => {
    const { bench, rows, figures } = readReport(runBench('files'));
    expect(bench).toBe('files');
    expect(rows.map(({ what }) => what)).toEqual(['one CSV', 'a mixed folder']);
    positive(rows, 'seconds');
    expect(Object.keys(figures)).toEqual(['ratio', 'firstAnswerSeconds']);
  });

  it('start, of this build beside itself', () => {
    const { bench, rows, figures } = readReport(runBench('start'));
    expect(bench).toBe('start');
    expect(rows.map(({ command }) => command)).toEqual(['--version', '--help', 'ask']);
    for (const key of ['beforeMs', 'nowMs', 'percentOfBefore', 'timesNode']) positive(rows, key);
    expect(Object.keys(figures)).toEqual(['nodeMs']);
  });

  it('lake/catalog', () => {
    const { bench, rows, figures } = readReport(runBench('lake/catalog'));
    expect(bench).toBe('lake-catalog');
    expect(rows.map(({ tables }) => tables)).toEqual([200, 400]);
    for (const key of ['fullSeconds', 'driftSeconds', 'lookupP95Ms', 'scopedP95Ms', 'ftsP95Ms', 'fileMb'])
      positive(rows, key);
    for (const { foundShare, namedShare } of rows) {
      expect(foundShare).toBeGreaterThan(0.8);
      expect(namedShare).toBe(1);
    }
    expect(Object.keys(figures)).toContain('refreshPercent');
  });

  it('hostile-load: what is sent away, and what explodes, is typed', () => {
    const { bench, rows, figures } = readReport(runBench('hostile-load'));
    expect(bench).toBe('hostile-load');
    for (const key of ['questions', 'idleMedianMs', 'medianRatio', 'p95Ratio', 'healthP99Ms'])
      positive(rows, key);
    expect(rows.map(({ failed }) => failed)).toEqual(rows.map(() => 0));
    expect(figures).toMatchObject({ errors: 0, sqliteBombsOutOfMemory: 2, duckdbBombsOutOfMemory: 2 });
    expect(figures.answered).toBeGreaterThan(0);
    expect(figures.sentAway).toBeGreaterThan(0);
  });

  it('guard-growth', () => {
    const { bench, rows, figures } = readReport(runBench('guard-growth'));
    expect(bench).toBe('guard-growth');
    expect(rows.length).toBeGreaterThan(100);
    // Each is analysed, or refused with a code.
    for (const { outcome } of rows) expect(outcome).toMatch(/^(?:passed$|restricted$|[a-z]+\.[a-z-]+:)/);
    expect(figures.kinds).toBe(rows.length);
  });

  it('onboarding', () => {
    const { bench, rows, figures } = readReport(runBench('onboarding'));
    expect(bench).toBe('onboarding');
    expect(rows.map(({ engine, scale }) => `${engine} ${scale}`)).toEqual([
      'sqlite 0.01',
      'sqlite 0.02',
      'duckdb 0.01',
      'duckdb 0.02',
    ]);
    for (const key of ['rows', 'scanMs', 'onboardMs', 'reuseMs', 'ratio']) positive(rows, key);
    expect(rows[1]!.rows).toBeGreaterThan(Number(rows[0]!.rows));
    expect(Object.keys(figures)).toContain('sqliteOnboardGrowth');
  });

  it('synthesis', () => {
    const { bench, rows, figures } = readReport(runBench('synthesis'));
    expect(bench).toBe('synthesis');
    expect(rows.map(({ items }) => items)).toEqual([8, 16]);
    for (const key of ['seconds', 'perMinute', 'attempts']) positive(rows, key);
    expect(Object.keys(figures)).toContain('growth');
  });

  it('private-mode', () => {
    const { bench, rows } = readReport(runBench('private-mode'));
    expect(bench).toBe('private-mode');
    expect(rows.map(({ database }) => database)).toEqual(['Motors']);
    for (const key of ['values', 'requests without values', 'requests with values']) positive(rows, key);
  });

  it('vector-index', () => {
    const { bench, rows, figures } = readReport(runBench('vector-index'));
    expect(bench).toBe('vector-index');
    expect(rows.map((row) => row.rows)).toEqual([4_000, 8_000]);
    for (const key of ['p50Ms', 'p95Ms', 'exactP50Ms', 'recallAt10', 'codeMb']) positive(rows, key);
    expect(figures.leastRecallAt10).toBeGreaterThan(0.9);
  });

  it('profiling, on the engines in files and the servers that are installed', () => {
    const { bench, rows, figures } = readReport(runBench('profiling'));
    expect(bench).toBe('profiling');
    expect(rows.map(({ engine, table }) => `${engine} ${table}`)).toEqual(
      expect.arrayContaining([
        'sqlite rows_100',
        'sqlite columns_20',
        'duckdb rows_100',
        'duckdb columns_20',
      ]),
    );
    for (const key of ['scanMs', 'profileMs', 'ratio']) positive(rows, key);
    expect(figures.sqliteWorstRatio).toBeGreaterThan(0);
  });

  it('catalog-scale, where PostgreSQL is installed', () => {
    const run = runBench('catalog-scale');
    if (run.status === 3) {
      expect(run.stderr).toContain('nothing was measured');
      return;
    }
    const { rows } = readReport(run);
    expect(rows).toMatchObject([{ tables: 20, columns: 700 }]);
    for (const key of ['catalogSeconds', 'profileSeconds', 'profileMb']) positive(rows, key);
  });

  it.each([
    ['profiling', ['--engine', 'oracle'], '--engine is one of sqlite, duckdb, postgres, mariadb, not oracle'],
    ['catalog-scale', ['--tables', '0'], '--tables is a number above 0, not 0'],
    ['question-time', ['--step', '0'], '--step is a whole number above 0, not 0'],
    [
      'question-time',
      ['--against', 'lab/none'],
      `${join(ROOT, 'lab/none')} is no checkout with its packages installed`,
    ],
  ])('%s refuses %j', (name, args, message) => {
    const script = join(ROOT, 'bench', `${name}.ts`);
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: `${name}: ${message}\n` });
  });

  it('value-index, with datasketch where a whole run has installed it', () => {
    const { bench, rows, figures } = readReport(runBench('value-index'));
    expect(bench).toBe('value-index');
    expect(rows.slice(0, 3).map(({ what, values }) => `${what} ${values}`)).toEqual([
      'ours, grams 200',
      'ours, grams 2000',
      'ours, minhash-lsh 2000',
    ]);
    for (const key of ['buildSeconds', 'memoryMb', 'queryP95Ms']) positive(rows, key);
    expect(Object.keys(figures)).toContain('lshRecallWorstOffTheory');
  });

  it.skipIf(!hasSpider)('value-recall, where the data is there', () => {
    const { rows, figures } = readReport(runBench('value-recall'));
    positive(rows, 'literals');
    expect(figures['bird-dev recall']).toBeGreaterThan(0);
  });

  it.skipIf(!hasSpider)('guard, where the Spider data is there', () => {
    const { bench, rows, figures } = readReport(runBench('guard'));
    expect(bench).toBe('guard');
    for (const key of ['p50Ms', 'p95Ms', 'maxMs']) positive(rows, key);
    expect(figures.queries).toBe(20);
    expect(figures.guardToPrepare).toBeGreaterThan(0);
  });

  it('guard says so when the Spider data is missing', () => {
    const { status, stdout, stderr } = runBench('guard', { CANDOR_DATA: join(ROOT, 'no-such-folder') });
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toContain('nothing was measured');
    expect(stderr).toContain('CANDOR_DATA');
  });

  it.skipIf(!hasSnow)('table-retrieval, where the Spider2-Snow data is there', () => {
    const { bench, rows, figures } = readReport(runBench('table-retrieval'));
    expect(bench).toBe('table-retrieval');
    for (const key of ['family', 'strict', 'p50Ms', 'p95Ms']) positive(rows, key);
    expect(new Set(rows.map(({ among }) => among))).toEqual(new Set(['its database', 'all databases']));
    expect(figures.tables).toBe(36);
  });

  it.skipIf(!hasSnow)('one-catalog, where the Spider2-Snow data is there', () => {
    const { bench, rows, figures } = readReport(runBench('one-catalog'));
    expect(bench).toBe('one-catalog');
    expect(rows.map(({ databases }) => databases)).toEqual([
      'databases left out',
      'databases learned from',
      'all',
    ]);
    for (const key of ['inView', 'shown', 'tokens', 'p50Ms']) positive(rows, key);
    expect(figures.databases).toBe(3);
  });

  it.skipIf(!hasSpider)('sql-parsers, where the Spider data is there', () => {
    const { bench, rows, figures } = readReport(runBench('sql-parsers'));
    expect(bench).toBe('sql-parsers');
    for (const key of ['oursPercent', 'oursUs', 'peerUs']) positive(rows, key);
    expect(figures.speedRatio).toBeGreaterThan(0);
  });

  it.skipIf(!hasSqlglot)('usage, where SQLGlot has been fetched', () => {
    const { bench, rows, figures } = readReport(runBench('usage'));
    expect(bench).toBe('usage');
    expect(rows.map(({ entries, rejected }) => [entries, rejected])).toEqual([
      [500, 5],
      [1_000, 10],
    ]);
    for (const key of ['seconds', 'peakMb', 'entriesPerSecond', 'counted']) positive(rows, key);
    expect(figures.ratioToPeer).toBeGreaterThan(0);
  });

  it.skipIf(!hasSpider)('sql-spans, where the data is there, and every node knows its place', () => {
    const { rows, figures } = readReport(runBench('sql-spans'));
    positive(rows, 'nodes');
    expect(rows.map(({ lawless }) => lawless)).toEqual(rows.map(() => 0));
    expect(figures.placedPercent).toBe(100);
  });

  it.skipIf(!hasSpider)('sql-print, where the Spider data is there', () => {
    expect(runBench('sql-print').status).toBe(0);
  });

  it.skipIf(!hasSklearn)('clusters, where scikit-learn was installed by an earlier run', () => {
    const { bench, rows } = readReport(runBench('clusters'));
    expect(bench).toBe('clusters');
    expect(rows).toHaveLength(4);
    for (const key of ['oursSeconds', 'peerSeconds', 'oursPurity', 'peerRecall']) positive(rows, key);
  });

  it('clusters and usage of a lake', () => {
    const clusters = readReport(runBench('lake/clusters'));
    expect(clusters.bench).toBe('lake-clusters');
    for (const key of ['seconds', 'peakMb', 'purity', 'recall', 'scopeP95Ms', 'refreshShare', 'sameCluster'])
      positive(clusters.rows, key);
    const usage = readReport(runBench('lake/usage'));
    expect(usage.rows.map(({ kind }) => kind)).toEqual(['statements', 'tables']);
    for (const key of ['rows', 'groups', 'seconds', 'daySeconds', 'readSeconds', 'peakMb'])
      positive(usage.rows, key);
    // The same runs, told by their tables or by their statements.
    expect(new Set(usage.rows.map(({ accesses }) => accesses)).size).toBe(1);
  });

  it('boosting, beside LightGBM where a whole run has installed it', () => {
    const { bench, rows, figures } = readReport(runBench('boosting'));
    expect(bench).toBe('boosting');
    for (const key of ['oursAuc', 'oursSeconds', 'scoreUs']) positive(rows, key);
    if (hasLightgbm) expect(figures.worstDumpOff).toBeLessThan(1e-9);
  });

  it('softmax, beside scikit-learn where a whole run has installed it', () => {
    const { bench, rows, figures } = readReport(runBench('softmax'));
    expect(bench).toBe('softmax');
    for (const key of ['oursLoss', 'oursSeconds', 'predictUs', 'fileMb']) positive(rows, key);
    if (hasSklearn) expect(Math.abs(figures.worstLossGap ?? Number.NaN)).toBeLessThan(0.1);
  });

  it('knowledge-graph', () => {
    const { bench, rows } = readReport(runBench('knowledge-graph'));
    expect(bench).toBe('knowledge-graph');
    expect(rows.map(({ columns }) => columns)).toEqual([1_000, 2_000]);
    for (const key of ['joins', 'buildMs', 'allCpuMs']) positive(rows, key);
  });

  it('sql-fuzz, and nothing breaks', () => {
    const { rows } = readReport(runBench('sql-fuzz'));
    const queriesOf = (what: string) => rows.find((row) => String(row.what).startsWith(what))?.queries;
    expect(queriesOf('threw')).toBe(0);
    expect(queriesOf('took more')).toBe(0);
    expect(queriesOf('found to be reading')).toBeGreaterThan(0);
  });

  it.skipIf(!hasSpider || !hasSqlglot)('sql-core, where the data and SQLGlot are there', () => {
    const { bench, rows } = readReport(runBench('sql-core'));
    expect(bench).toBe('sql-core');
    positive(rows, 'references');
  });

  it.skipIf(!hasPredictions)('linking, where the sets are there', () => {
    const { bench, rows, figures } = readReport(runBench('linking'));
    expect(bench).toBe('linking');
    expect([...new Set(rows.map(({ set }) => set))]).toEqual(['bird', 'snow', 'snow, left out']);
    for (const key of ['tableNsr', 'tableNsf', 'columns', 'p95Ms']) positive(rows, key);
    expect(figures.columnsOfLargest).toBeGreaterThan(10);
  });

  it.skipIf(!hasBirdDev)('linking-tokens, where BIRD dev is there', () => {
    const { bench, rows, figures } = readReport(runBench('linking-tokens'));
    expect(bench).toBe('linking-tokens');
    expect(rows).toHaveLength(4);
    for (const key of ['mean', 'p50', 'p95', 'max']) positive(rows, key);
    expect(figures.wholeSchemaToLinked).toBeGreaterThan(1);
  });

  it.skipIf(!hasFerrum)('ferrum, where the freight company is there', () => {
    const { bench, rows, figures } = readReport(runBench('ferrum'));
    expect(bench).toBe('ferrum');
    expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(4);
    expect(figures).toMatchObject({ callsPerQuestion: 0, notRecorded: 0 });
  });

  it.skipIf(!hasFerrum)('prompt-tokens, where BIRD dev and the freight company are there', () => {
    const { bench, rows } = readReport(runBench('prompt-tokens'));
    expect(bench).toBe('prompt-tokens');
    expect(rows).toHaveLength(6);
    for (const key of ['candor', 'plain', 'ratio']) positive(rows, key);
  });

  it.skipIf(!hasPredictions)('labelling, where the predictions for BIRD are there', () => {
    const { bench, rows } = readReport(runBench('labelling'));
    expect(bench).toBe('labelling');
    expect(rows).toHaveLength(3);
    for (const key of ['pairsPerSecond', 'nodesPerPair', 'errorsPercent']) positive(rows, key);
  });

  it.skipIf(!hasPredictions)('failing-predictions, where the predictions are there', () => {
    const { bench, rows, figures } = readReport(runBench('failing-predictions'));
    expect(bench).toBe('failing-predictions');
    expect(new Set(rows.map(({ part }) => part))).toEqual(
      new Set(['spider, even', 'spider, odd', 'bird, test-only', 'bird, odd', 'bird, even']),
    );
    for (const key of ['predictions', 'refused', 'recall', 'precision', 'executable', 'checkMs'])
      positive(rows, key);
    expect(figures['gold spider: queries']).toBeGreaterThan(5);
  });

  it.skipIf(!hasPredictions)('node-uncertainty, beside LightGBM where a whole run has installed it', () => {
    const { bench, rows, figures } = readReport(runBench('node-uncertainty'));
    expect(bench).toBe('node-uncertainty');
    expect(new Set(rows.map(({ what }) => String(what).split(',')[0]))).toEqual(
      new Set(['BIRD', 'by nodes', 'by columns', 'by others']),
    );
    for (const key of ['nodes', 'featuresP50', 'scoreP50', 'unitsP50', 'allP95']) positive(rows, key);
    expect(figures.treesP50).toBeGreaterThan(0);
    if (hasLightgbm) expect(figures.lightgbmP50).toBeGreaterThan(0);
  });

  it.skipIf(!hasPredictions)('fault-precision, where the predictions are there', () => {
    const { bench, rows } = readReport(runBench('fault-precision'));
    expect(bench).toBe('fault-precision');
    expect(rows.length).toBeGreaterThan(0);
    for (const key of ['of', 'questions']) positive(rows, key);
  });

  it.skipIf(!hasPredictions)(
    'fault-precision counts what the source says, and what decides is right nine times in ten',
    () => {
      const script = join(ROOT, 'bench', 'fault-precision.ts');
      const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', script, '--output', 'json'], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      const { rows } = z
        .object({ rows: z.array(FAULT_ROW) })
        .parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
      const counted = Object.fromEntries(
        rows.flatMap(({ part, fault, wrong, of }) => (part === 'apart' ? [[fault, { wrong, of }]] : [])),
      );
      const refusals = Object.entries(COUNTED_REFUSALS).map(([kind, count]) => [`refused: ${kind}`, count]);
      expect(counted).toEqual({ ...COUNTED_FAULTS, ...Object.fromEntries(refusals) });
      for (const [fault, { wrong, of }] of Object.entries(counted))
        if (fault.startsWith('refused') || DECIDING.has(fault))
          expect(wrong / of, fault).toBeGreaterThanOrEqual(DECIDES_FROM);
    },
  );

  it.skipIf(!hasVoting)('voting, where the predictions and rows of BIRD are there', () => {
    const { bench, rows, figures } = readReport(runBench('voting'));
    expect(bench).toBe('voting');
    expect(new Set(rows.map(({ part }) => part))).toEqual(
      new Set(['all', 'not tuned on', 'superhero', 'student_club', 'toxicology']),
    );
    for (const key of ['questions', 'setups', 'oracle']) positive(rows, key);
    expect(figures.goldFailed).toBe(0);
    expect(figures.differs).toBe(0);
  });

  it.skipIf(!hasPredictions)('linking-replay, where the predictions for BIRD are there', () => {
    const { bench, rows, figures } = readReport(runBench('linking-replay'));
    expect(bench).toBe('linking-replay');
    for (const key of ['srr', 'nsr', 'nsp', 'nsf', 'testSrr', 'testNsf']) positive(rows, key);
    expect(figures).toEqual({ questions: 274, databases: 2 });
  });

  it.skipIf(!hasBirdTrain)('hints, where BIRD train is there', () => {
    const { bench, rows, figures } = readReport(runBench('hints'));
    expect(bench).toBe('hints');
    for (const key of ['hints', 'whole', 'statements', 'read', 'conditions', 'inGold']) positive(rows, key);
    expect(figures.readPercent).toBeGreaterThan(50);
  });

  it.skipIf(!hasSpider)('word-ledger, where the Spider data is there', () => {
    const { bench, rows, figures } = readReport(runBench('word-ledger'));
    expect(bench).toBe('word-ledger');
    expect(rows.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'right queries with an alarm',
        'parts left out and not noticed',
        'right answers that the gate stops',
      ]),
    );
    for (const key of ['ledgerP50Ms', 'withoutGateP50Ms', 'withGateP50Ms', 'coverageWithGate'])
      expect(figures[key], key).toBeGreaterThan(0);
    expect(figures.p50Ratio).toBeGreaterThanOrEqual(1);
  });

  it.skipIf(!hasFerrum)('project-risk, where the freight company is there', () => {
    const { bench, rows, figures } = readReport(runBench('project-risk'));
    expect(bench).toBe('project-risk');
    expect(rows.map(({ project, when }) => `${project} ${when}`)).toEqual([
      ...['motors before', 'motors after', 'ferrum before', 'ferrum after'],
    ]);
    for (const row of rows) expect(row.ece).toBeLessThanOrEqual(1);
    for (const key of ['motors: answers', 'ferrum: answers']) expect(figures[key], key).toBeGreaterThan(0);
  });

  it('broken-definitions', () => {
    const { bench, rows, figures } = readReport(runBench('broken-definitions'));
    expect(bench).toBe('broken-definitions');
    expect(rows.map(({ set }) => set)).toEqual(
      expect.arrayContaining(['motors golds', 'altered', 'clinic/pairs', 'all']),
    );
    expect(figures).toMatchObject({ falseAlarms: 0 });
    for (const key of ['named', 'riskier', 'of', 'right']) expect(figures[key], key).toBeGreaterThan(0);
  });

  it.each([
    'hints',
    'word-ledger',
    'sql-core',
    'sql-parsers',
    'sql-spans',
    'sql-print',
    'value-recall',
    'table-retrieval',
    'one-catalog',
    'labelling',
    'node-uncertainty',
    'linking-replay',
    'linking',
    'linking-tokens',
    'prompt-tokens',
    'voting',
  ])('%s says so when the data is missing', (name) => {
    const { status, stderr } = runBench(name, { CANDOR_DATA: join(ROOT, 'no-such-folder') });
    expect(status).toBe(3);
    expect(stderr).toContain('CANDOR_DATA');
  });

  it.skipIf(!hasWarehouse)('embeddings, where the Spider2-Snow data is there', () => {
    const { bench, rows } = readReport(runBench('embeddings'));
    expect(bench).toBe('embeddings');
    expect(rows.map(({ embedding }) => embedding)).toEqual(expect.arrayContaining(['hashed', 'builtIn']));
    for (const key of ['loadMs', 'perSecond', 'oneMs', 'recall10', 'recall50', 'codesP50Ms'])
      positive(rows, key);
  });

  it('refuse options that they do not know', () => {
    const script = join(ROOT, 'bench', 'guard.ts');
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, '--output', 'xml'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toBe('guard: --output is table or json, not xml\n');
  });
});

describe('the figures of the benches', () => {
  it.each([
    [
      'flat',
      [
        [10, 5],
        [100, 5],
        [1_000, 5],
      ],
      0,
    ],
    [
      'in proportion',
      [
        [1, 5],
        [10, 50],
        [100, 500],
      ],
      1,
    ],
    [
      'with the square',
      [
        [1, 2],
        [10, 200],
      ],
      2,
    ],
  ] as const)('grow %s', (_, points, exponent) => expect(growthExponent(points)).toBeCloseTo(exponent, 9));

  it('have the area under a curve, ties counted as half', () => {
    const area = (scores: readonly number[], labels: readonly number[]) =>
      areaUnderCurve(Float64Array.from(scores), Uint8Array.from(labels));
    expect(area([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])).toBe(0.75);
    expect(area([1, 1, 1], [0, 1, 0])).toBe(0.5);
    expect(area([3, 2, 1], [1, 0, 0])).toBe(1);
  });

  it('have percentiles between neighbours', () => {
    expect(percentile([30, 10, 20, 40], 0.5)).toBe(25);
    expect(percentile([30, 10, 20, 40], 1)).toBe(40);
    expect(percentile([7], 0.95)).toBe(7);
  });
});
