/** defog's `gen` questions: eleven small databases on a real PostgreSQL. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CandorError } from '../../errors.ts';
import { type CsvRow, readCsv } from '../../knowledge/index.ts';
import { expandGold } from './expand-gold.ts';
import { loadDefog } from './load-defog.ts';
import type { EvaluationCase, Suite } from './suite.ts';
import { requirePath } from './suite-places.ts';

const COLUMNS = ['question', 'query', 'db_name', 'query_category', 'instructions'];

/** defog's own rule for when the order of rows counts. */
const ASKS_FOR_ORDER = /\b(?:order|sort|arrange)\b/i;

export interface DefogPlaces {
  readonly dataDirectory: string;
  /** PostgreSQL that databases may be created on. */
  readonly serverUrl: string | undefined;
}

/** Reads the questions and loads their databases. Throws `eval.server-missing` where no server is named. */
export async function readDefog({ dataDirectory, serverUrl }: DefogPlaces): Promise<Suite> {
  const folder = join(dataDirectory, 'defog');
  const path = join(folder, 'questions', 'questions_gen_postgres.csv');
  const text = await readFile(await requirePath(path, 'The defog question file'), 'utf8');
  const [header, ...rows] = readCsv(mendQuotes(text), path);
  if (header?.cells.join() !== COLUMNS.join())
    throw new CandorError('eval.data-missing', `${path} does not have the columns ${COLUMNS.join(', ')}`);
  if (serverUrl === undefined)
    throw new CandorError('eval.server-missing', 'The suite defog needs a PostgreSQL server.');
  const names = [...new Set(rows.map(({ cells }) => cells[2] ?? ''))];
  const urls = await loadDefog(names, { folder, serverUrl });
  // Gold queries ask the server for the day.
  const now = new Date().toISOString().slice(0, 10);
  const cases = rows.map((row, index) => toCase(row, { index, urls, now }));
  return { name: 'defog', cases, policy: 'defog', excluded: { cases: 0, why: '' } };
}

/** One question of the file quotes a phrase without doubling the quotes, as CSV asks for. */
function mendQuotes(text: string): string {
  return text.replace(/(?<= )"(\w[^",\n]*)"(?= )/g, '""$1""');
}

function toCase(
  { cells }: CsvRow,
  { index, urls, now }: { index: number; urls: ReadonlyMap<string, string>; now: string },
): EvaluationCase {
  const [question = '', query = '', database = '', category = '', instructions = ''] = cells;
  const [sql = '', ...alternatives] = expandGold(query);
  const hint = instructions.trim();
  return {
    id: `defog-${index}`,
    index,
    // Spider has databases of the same names.
    database: `defog-${database}`,
    databaseUrl: urls.get(database) ?? '',
    question,
    ...(hint === '' ? {} : { hint }),
    category,
    tags: [],
    now,
    expect: {
      kind: 'answered',
      sql,
      alternatives,
      orderMatters: category === 'order_by' || ASKS_FOR_ORDER.test(question),
    },
  };
}
