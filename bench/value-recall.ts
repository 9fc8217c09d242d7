/**
 * Value recall: the share of texts in gold SQL that are among the values retrieved for the right column, with the
 * question's own words as keywords. It needs the benchmark data.
 * `npx tsx bench/value-recall.ts [--smoke] [--output json]`
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { connect, guarded } from '../src/database/index.ts';
import { CandorError } from '../src/errors.ts';
import { findValues } from '../src/knowledge/retrieve/index.ts';
import { emptySemanticModel } from '../src/knowledge/semantic/index.ts';
import { foldValue, keywordsOf, type ValueIndex } from '../src/knowledge/values/index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { type Onboarded, onboard } from '../src/onboarding/onboard.ts';
import { type BenchOptions, readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';
import { type GoldLiteral, goldLiterals } from './value-recall/gold-literals.ts';
import {
  type RecallQuestion,
  type RecallSet,
  readBirdSet,
  readSpiderSet,
} from './value-recall/read-recall-sets.ts';

const SMOKE_QUESTIONS = 20;
const MISSES = fileURLToPath(new URL('../out/value-recall-misses.jsonl', import.meta.url));

/** Why a literal is not among the values found. */
type Cause = 'not stored' | 'not indexed' | 'not in the question' | 'cut or beaten';

interface Outcome {
  readonly database: string;
  readonly question: string;
  readonly literal: string;
  readonly columnIds: readonly string[];
  readonly cause: Cause | undefined;
  readonly ms: number;
}

interface Known {
  readonly onboarded: Onboarded;
  /** Whether a text is stored in a column, by the engine's own word. */
  readonly isStored: (columnId: string, text: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const options = readBenchOptions();
const folder = await mkdtemp(join(tmpdir(), 'candor-bench-'));
try {
  await runBench(options);
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(
    `value-recall: nothing was measured. ${error.message}\n  → ${error.next} (CANDOR_DATA)\n`,
  );
  process.exitCode = 3;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runBench({ isSmoke, output }: BenchOptions): Promise<void> {
  const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
  const sets = [await readBirdSet(dataDirectory), await readSpiderSet(dataDirectory)];
  const rows = [];
  const figures: Record<string, number> = {};
  const misses: Outcome[] = [];
  for (const set of sets) {
    const outcomes = await measureSet(isSmoke ? firstOf(set) : set);
    misses.push(...outcomes.filter(({ cause }) => cause !== undefined));
    for (const database of [...new Set(outcomes.map((outcome) => outcome.database))])
      rows.push(
        rowOf(
          set.name,
          database,
          outcomes.filter((outcome) => outcome.database === database),
        ),
      );
    const total = rowOf(set.name, 'all', outcomes);
    rows.push(total);
    figures[`${set.name} recall`] = total.recall;
    figures[`${set.name} recall of stored values`] = total.ofStored;
  }
  await mkdir(join(MISSES, '..'), { recursive: true });
  await writeFile(MISSES, misses.map((miss) => `${JSON.stringify(miss)}\n`).join(''));
  process.stderr.write(`value-recall: every miss: ${MISSES}\n`);
  const about =
    'texts that gold SQL compares a column with, found among the values retrieved for that column';
  printReport({ bench: 'value-recall', about, rows, figures }, { isSmoke, output });
}

function firstOf({ name, questions }: RecallSet): RecallSet {
  return { name, questions: questions.slice(0, SMOKE_QUESTIONS) };
}

async function measureSet({ questions }: RecallSet): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const databaseUrl of new Set(questions.map((question) => question.databaseUrl))) {
    const known = await openKnown(databaseUrl);
    for (const question of questions)
      if (question.databaseUrl === databaseUrl) outcomes.push(...(await measureQuestion(question, known)));
    await known.close();
  }
  return outcomes;
}

async function openKnown(databaseUrl: string): Promise<Known> {
  const database = guarded(await connect(databaseUrl), { kind: 'own-queries' });
  const directory = await mkdtemp(join(folder, 'derived-'));
  const onboarded = await onboard(database, { directory, semantics: emptySemanticModel });
  const { tables } = onboarded.catalog;
  return {
    onboarded,
    isStored: async (columnId, text) => {
      const table = tables.find(({ columns }) => columns.some(({ id }) => id === columnId));
      const column = table?.columns.find(({ id }) => id === columnId);
      if (table === undefined || column === undefined) return false;
      const quoted = text.replaceAll("'", "''");
      const sql = `SELECT COUNT(*) FROM "${table.name}" WHERE "${column.name}" = '${quoted}'`;
      const { rows } = await database.query(sql, { rows: 1, bytes: 1_000, timeoutMs: 60_000 });
      return Number(rows[0]?.[0]) > 0;
    },
    close: () => database.close(),
  };
}

async function measureQuestion(asked: RecallQuestion, known: Known): Promise<Outcome[]> {
  const { database, question, hint, sql } = asked;
  const { catalog, values: index } = known.onboarded;
  const { literals } = goldLiterals(sql, catalog);
  if (literals.length === 0) return [];
  const from = performance.now();
  const { values } = await findValues([...keywordsOf(question), ...keywordsOf(hint)], index);
  const ms = performance.now() - from;
  const isFound = ({ literal, columnIds }: GoldLiteral): boolean =>
    values.some(
      ({ item }) =>
        columnIds.includes(item.columnId) && item.values.some(({ value }) => plain(value) === plain(literal)),
    );
  return Promise.all(
    literals.map(async (gold) => {
      const cause = isFound(gold) ? undefined : await causeOf(gold, { asked, index, known });
      return { database, question, ...gold, cause, ms };
    }),
  );
}

/** Some gold SQL spells a value in another case, or without the spaces that are stored around it; it means that value. */
function plain(text: string): string {
  return text.trim().toLowerCase();
}

async function causeOf(
  { literal, columnIds }: GoldLiteral,
  { asked, index, known }: { asked: RecallQuestion; index: ValueIndex; known: Known },
): Promise<Cause> {
  const stored = await Promise.all(columnIds.map((id) => known.isStored(id, literal)));
  if (!stored.includes(true)) return 'not stored';
  const hits = [...index.lookup(literal), ...index.lookupLiteral(literal)];
  if (!hits.some(({ columnId, value }) => columnIds.includes(columnId) && value === literal))
    return 'not indexed';
  const isNamed = foldValue(`${asked.question} ${asked.hint}`).includes(foldValue(literal));
  return isNamed ? 'cut or beaten' : 'not in the question';
}

function rowOf(set: string, database: string, outcomes: readonly Outcome[]) {
  const count = (cause: Cause) => outcomes.filter((outcome) => outcome.cause === cause).length;
  const found = outcomes.filter(({ cause }) => cause === undefined).length;
  const notStored = count('not stored');
  return {
    set,
    database,
    literals: outcomes.length,
    recall: found / outcomes.length,
    ofStored: found / Math.max(1, outcomes.length - notStored),
    notStored,
    notIndexed: count('not indexed'),
    notNamed: count('not in the question'),
    beaten: count('cut or beaten'),
    p95Ms: percentile(
      outcomes.map(({ ms }) => ms),
      0.95,
    ),
  };
}
