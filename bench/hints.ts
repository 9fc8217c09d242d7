/**
 * How much of the hints of BIRD train is read: statements, whole hints, and whether the gold SQL has what was read. That set
 * has no rows, so values are taken as written.
 * `npx tsx bench/hints.ts [--smoke] [--output json]`
 */
import { join } from 'node:path';
import { z } from 'zod';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { emptySemanticModel } from '../src/knowledge/semantic/index.ts';
import type { LinkSet } from '../src/lab/linking/sets/link-set.ts';
import { readBirdTrain } from '../src/lab/linking/sets/read-bird-train.ts';
import { readJsonLines } from '../src/lab/linking/sets/read-json-lines.ts';
import { buildKnowledge, type GroundedKnowledge } from '../src/reasoning/grounded/index.ts';
import { readHint } from '../src/reasoning/grounded/question/hints/read-hint.ts';
import type { Definition } from '../src/reasoning/grounded/question/mention/definition.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';

const ABOUT =
  'hints of BIRD train read as definitions; inGold: conditions whose column and literals the gold SQL has';
const SMOKE_DATABASES = new Set(['movie_3', 'shipping']);
const ROW = z.object({ idx: z.number(), SQL: z.string() });
const NOW = new Date('2023-05-19T12:00:00Z');

const options = readBenchOptions();
const dataDirectory =
  readTerminalEnvironment().dataDirectory ?? join(import.meta.dirname, '..', '..', 'shared', 'data');
try {
  const only = options.isSmoke ? { only: SMOKE_DATABASES } : {};
  const rows = await readJsonLines(join(dataDirectory, 'bird', 'train', 'train.jsonl'), ROW);
  const gold = new Map(rows.map(({ idx, SQL }) => [`train-${idx}`, SQL]));
  measure(await readBirdTrain({ dataDirectory, ...only }), gold);
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`hints: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

function measure(set: LinkSet, gold: ReadonlyMap<string, string>): void {
  const known = new Map<string, GroundedKnowledge>();
  const counts = { hints: 0, whole: 0, statements: 0, read: 0, conditions: 0, inGold: 0 };
  for (const { id, database, hint = '' } of set.cases) {
    if (hint.trim() === '') continue;
    const catalog = set.databases.get(database)?.catalog;
    if (catalog === undefined) continue;
    const knowledge =
      known.get(database) ?? buildKnowledge(catalog, emptySemanticModel, { lookup: () => [] });
    known.set(database, knowledge);
    const { definitions, unread } = readHint(hint, knowledge, { now: NOW });
    counts.hints += 1;
    counts.whole += Number(unread.length === 0);
    counts.statements += definitions.length + unread.length;
    counts.read += definitions.length;
    const conditions = definitions.flatMap(conditionsOf);
    counts.conditions += conditions.length;
    counts.inGold += conditions.filter((words) =>
      words.every((word) => hasWord(gold.get(id) ?? '', word)),
    ).length;
  }
  const percent = (part: number, of: number): number => Number(((100 * part) / of).toFixed(1));
  const { hints, whole, statements, read, conditions, inGold } = counts;
  const figures = {
    wholePercent: percent(whole, hints),
    readPercent: percent(read, statements),
    inGoldPercent: percent(inGold, conditions),
  };
  printReport({ bench: 'hints', about: ABOUT, rows: [counts], figures }, options);
}

/** The name of the column and the literals of each comparison. */
function conditionsOf({ meaning }: Definition): string[][] {
  return meaning.conditions.flatMap(({ literal }) =>
    literal === undefined ? [] : [[literal.columns[0]?.name ?? '', ...literal.values.map(String)]],
  );
}

function hasWord(sql: string, word: string): boolean {
  return sql.toLowerCase().includes(word.toLowerCase());
}
