/** Spider2-Snow as a linking set: gold tables for all questions, gold columns where a gold query resolves. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog } from '../../../catalog/index.ts';
import { requirePath } from '../../corpus/suite-places.ts';
import type { GoldSet } from '../score/best-gold.ts';
import { type GoldItems, goldItems } from '../score/gold-items.ts';
import type { LinkCase, LinkDatabase, LinkSet } from './link-set.ts';
import { readSnowDatabases, type SnowQuestion } from './read-snow-databases.ts';
import type { LinkSetOptions } from './set-options.ts';

/** Two hands wrote gold SQL for the same questions; the official one goes first. */
const FOLDERS = ['gold_sql_120_official', 'gold_sql_121'];

export async function readSnow({ dataDirectory, only, descriptions }: LinkSetOptions): Promise<LinkSet> {
  const warehouse = await readSnowDatabases(dataDirectory, only);
  const cases: LinkCase[] = [];
  const leftOut: { id: string; because: string }[] = [];
  const flagged: { id: string; because: string }[] = [];
  for (const question of warehouse.questions) {
    const { id, database, text, gold } = question;
    const catalog = warehouse.catalogs.get(database);
    if (catalog === undefined || gold.length === 0) {
      leftOut.push({ id, because: 'none of its gold tables is in the schema' });
      continue;
    }
    const { fields, doubt, others } = await readGoldFields(
      question,
      catalog,
      join(dataDirectory, 'spider2_snow'),
    );
    if (doubt !== undefined) flagged.push({ id, because: doubt });
    const hint = await readDocument(question, warehouse.documentsFolder);
    const golds = { goldTables: new Set(gold), goldFields: fields, otherGolds: others };
    cases.push({ id, database, question: text, hint, ...golds });
  }
  const databases = new Map(
    [...warehouse.catalogs].map(([name, catalog]): [string, LinkDatabase] => [
      name,
      { name, catalog: descriptions === 'none' ? withoutComments(catalog) : catalog },
    ]),
  );
  return { name: 'snow', databases, cases, leftOut, flagged };
}

/**
 * The columns of the first gold query that resolves, null where there is none, and what another one uses that reads no more than
 * the gold tables: a right query may do with fewer.
 */
async function readGoldFields(
  { id, gold }: SnowQuestion,
  catalog: Catalog,
  folder: string,
): Promise<SnowGold> {
  const tried: GoldItems[] = [];
  for (const name of FOLDERS) {
    const sql = await readIfThere(join(folder, name, `${id}.sql`));
    if (sql !== undefined) tried.push(goldItems(sql, catalog));
  }
  const [found, ...rest] = tried.filter((items) => items.ok);
  if (found === undefined) {
    const [first] = tried;
    const doubt =
      first === undefined || first.ok ? {} : { doubt: `gold columns are unknown: ${first.because}` };
    return { fields: null, others: [], ...doubt };
  }
  const foreignTables = ({ tables }: ResolvedGold) =>
    [...tables].filter((table) => !gold.includes(table)).length;
  const others = rest.filter((items) => items.ambiguous.length === 0 && foreignTables(items) === 0);
  const foreign = foreignTables(found);
  if (foreign === 0 && found.ambiguous.length === 0) return { fields: found.fields, others };
  const doubt =
    foreign > 0
      ? `its gold SQL reads ${foreign} tables that are no gold tables`
      : `${found.ambiguous.join(', ')}: each may be of several tables; all are gold`;
  return { fields: found.fields, others, doubt };
}

type ResolvedGold = Extract<GoldItems, { readonly ok: true }>;

interface SnowGold {
  readonly fields: ReadonlySet<string> | null;
  readonly others: readonly GoldSet[];
  readonly doubt?: string;
}

async function readIfThere(path: string): Promise<string | undefined> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere ? readFile(path, 'utf8') : undefined;
}

async function readDocument({ document }: SnowQuestion, folder: string): Promise<string> {
  if (document === undefined) return '';
  return readFile(await requirePath(join(folder, document), 'A document of Spider2-Snow'), 'utf8');
}

function withoutComments(catalog: Catalog): Catalog {
  const tables = catalog.tables.map(({ comment: _, ...table }) => ({
    ...table,
    columns: table.columns.map(({ comment: __, ...column }) => column),
  }));
  return { ...catalog, tables };
}
