/**
 * Counts the errors that models make and writes them as rates beside the mutations: predictions for BIRD dev, each different
 * query once, without the test databases and without set-ups that saw the gold schema. Only counts leave the data.
 * `npx tsx scripts/measure-errors.ts [--limit 2000] [--out file]`
 */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { readQuery } from '../src/faults/reading/index.ts';
import { readLinkSet } from '../src/lab/linking/read-link-set.ts';
import { TEST_DATABASES } from '../src/lab/linking/replay-set.ts';
import { readJsonLines } from '../src/lab/linking/sets/read-json-lines.ts';
import { classifyErrors, type FoundError } from '../src/lab/uncertainty/mutations/classify-errors.ts';
import { ERRORS } from '../src/lab/uncertainty/mutations/mutations.ts';
import { ERROR_NAMES, type ErrorName, TOLERATED } from '../src/lab/uncertainty/mutations/site/mutation.ts';
import { openSite } from '../src/lab/uncertainty/mutations/site/site.ts';
import { seededRandom } from '../src/lib/seeded-random.ts';

const { values: options } = parseArgs({ options: { limit: { type: 'string' }, out: { type: 'string' } } });
const root = join(import.meta.dirname, '..');
const dataDirectory = readTerminalEnvironment().dataDirectory ?? join(root, '..', 'shared', 'data');
const limit = Number(options.limit ?? Number.POSITIVE_INFINITY);

const ROW = z.object({
  qid: z.number(),
  db_id: z.string(),
  pred: z.string(),
  label: z.number().nullish(),
  models: z.array(z.string()),
});

const set = await readLinkSet('bird', { dataDirectory });
const asked = new Map(set.cases.map((each) => [each.id, each]));
const predictions = await readJsonLines(join(dataDirectory, 'preds', 'bird_dev.jsonl.gz'), ROW);

const knownPlaces = new Map<number, readonly FoundError[]>();

/** A query with more differences was thought up in another way; edits of the gold do not describe it. */
const MOST_EDITS = 5;
/** An error may also stand where the gold has no place for it, as when models add a clause and its error at once. */
const MOST_RATE = 0.8;

const wrong = tally(0);
const right = tally(1);
const out = options.out ?? join(root, 'src', 'lab', 'uncertainty', 'mutations', 'error-rates.ts');
await writeFile(`${out}.new`, render());
await rename(`${out}.new`, out);
process.stdout.write(`${wrong.queries} wrong and ${right.queries} right queries, written to ${out}\n`);

interface Tally {
  readonly queries: number;
  readonly counts: ReadonlyMap<FoundError, number>;
  /** Queries whose gold has a place for the error. */
  readonly places: ReadonlyMap<FoundError, number>;
  /** Queries with one, two, and three or more errors. */
  readonly byEdits: readonly number[];
  readonly tooFar: number;
  /** Queries with an error that right queries may have. */
  readonly tolerated: number;
}

function tally(label: 0 | 1): Tally {
  const [counts, places] = [new Map<FoundError, number>(), new Map<FoundError, number>()];
  const byEdits = [0, 0, 0];
  let [queries, tooFar, tolerated] = [0, 0, 0];
  const add = (to: Map<FoundError, number>, name: FoundError): unknown =>
    to.set(name, (to.get(name) ?? 0) + 1);
  for (const prediction of predictions) {
    const errors = prediction.label === label && queries < limit ? errorsOf(prediction) : undefined;
    if (errors === undefined || (label === 0 && errors.length === 0)) continue;
    if (errors.length > MOST_EDITS) {
      tooFar += 1;
      continue;
    }
    queries += 1;
    const place = Math.min(errors.length, byEdits.length) - 1;
    if (place >= 0) byEdits[place] = (byEdits[place] ?? 0) + 1;
    if (errors.some((error) => TOLERATED.some((name) => name === error))) tolerated += 1;
    for (const error of errors) add(counts, error);
    for (const name of placesOf(prediction.qid)) add(places, name);
  }
  return { queries, counts, places, byEdits, tooFar, tolerated };
}

/** Undefined where the prediction is left out, or cannot be compared. */
function errorsOf({ qid, db_id, pred, models }: z.infer<typeof ROW>): readonly FoundError[] | undefined {
  const about = asked.get(String(qid));
  const catalog = set.databases.get(db_id)?.catalog;
  const sql = about?.goldSql;
  const hasSeenGold = models.every((name) => /gold/i.test(name));
  if (hasSeenGold || TEST_DATABASES.has(db_id)) return;
  if (about === undefined || catalog === undefined || sql === undefined) return;
  const [due, generated] = [sql, pred].map((text) => readQuery(text, catalog.dialect, catalog));
  if (due?.ok !== true || generated?.ok !== true) return;
  return classifyErrors(due.query, generated.query, about.question);
}

/** Errors that can be made in the gold of a question. */
function placesOf(qid: number): readonly FoundError[] {
  const known = knownPlaces.get(qid);
  if (known !== undefined) return known;
  const about = asked.get(String(qid));
  const catalog = about && set.databases.get(about.database)?.catalog;
  const read = catalog && readQuery(about.goldSql ?? '', catalog.dialect, catalog);
  if (about === undefined || catalog === undefined || read?.ok !== true) return [];
  const site = openSite(read.query, catalog, about, seededRandom(qid));
  const found = ERRORS.filter((kind) => kind.propose(site).length > 0).map(({ name }) => name);
  knownPlaces.set(qid, found);
  return found;
}

function ratesOf({ counts, places }: Tally, names: readonly ErrorName[]): string {
  const lines = names.map((name) => {
    const [count, place] = [counts.get(name) ?? 0, places.get(name) ?? 0];
    // Half a count more, so that what was not seen here is rare and not impossible.
    const rate = Math.min(MOST_RATE, (count + 0.5) / (place + 1));
    return `  '${name}': ${Number(rate.toFixed(4))}, // ${count} of ${place}`;
  });
  return lines.join('\n');
}

function render(): string {
  const total = [...wrong.counts.values()].reduce((sum, count) => sum + count, 0);
  const shares = wrong.byEdits.map(
    (count, at) => `  [${at + 1}, ${Number((count / wrong.queries).toFixed(3))}],`,
  );
  return `/**
 * How often models make an error where it can be made: \`npx tsx scripts/measure-errors.ts\`, from ${wrong.queries} different wrong
 * queries for BIRD dev without its test databases (${wrong.tooFar} more differ in over ${MOST_EDITS} places) and ${right.queries} right ones. Of
 * the ${total} differences of the wrong ones ${wrong.counts.get('other') ?? 0} are of none of these kinds. A connective that changed is seen as
 * two conditions that changed.
 */
import type { ErrorName, ToleratedName } from './mutation.ts';

/** Seen in wrong queries, per query whose gold has a place for it; behind it: the counts. */
export const ERROR_RATES: Readonly<Record<ErrorName, number>> = {
${ratesOf(wrong, ERROR_NAMES)}
};

/** Share of wrong queries with so many errors; three stands for three and more. */
export const EDIT_COUNTS: readonly (readonly [edits: number, share: number])[] = [
${shares.join('\n')}
];

/** The same changes in right queries, where the rows allowed them. */
export const TOLERATED_RATES: Readonly<Record<ToleratedName, number>> = {
${ratesOf(right, TOLERATED)}
};

/** Share of right queries with at least one of them. */
export const TOLERATED_SHARE = ${Number((right.tolerated / right.queries).toFixed(3))};
`;
}
