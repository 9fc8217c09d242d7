/**
 * A schema that no prompt holds: all Spider2-Snow databases as one catalog, and what of it stands in the prompt of each question. Linked
 * as chat links it, by the trained ranker and by words, without a model; the text is the one that a writer of SQL sees, its tokens are
 * those of GPT-4o (o200k). A gold table is shown where it has a line of its own in the prompt, and said where the prompt names it, or
 * the range it lies in, beside a table like it; a column also where the line of its table says which other one has the same. The forests have not seen the
 * databases at every fourth place of the alphabet. `npx tsx bench/one-catalog.ts [--smoke] [--output json]`
 */

import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import type { Catalog, Table } from '../src/catalog/index.ts';
import { sharedAnnotatedText } from '../src/catalog/share/index.ts';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { fallbackKeywords, type TableIndex } from '../src/knowledge/retrieve/index.ts';
import { emptySemanticModel } from '../src/knowledge/semantic/index.ts';
import { openRetrieval } from '../src/lab/linking/linkers/open-retrieval.ts';
import { readLinkSet } from '../src/lab/linking/read-link-set.ts';
import type { LinkCase } from '../src/lab/linking/sets/link-set.ts';
import { isLeftOut } from '../src/lab/linking/training/left-out.ts';
import { compareText } from '../src/lib/index.ts';
import { LINK_DEFAULTS, linkSchema, prepareLinking } from '../src/linking/index.ts';
import { TokenLedger } from '../src/model/index.ts';
import { rankByRetrieval } from '../src/reasoning/grounded/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';

const ABOUT = 'gold tables in a prompt of at most 15,000 tokens, all Spider2-Snow databases as one catalog';
const SMOKE = { only: new Set(['CHINOOK', 'WWE', 'DB_IMDB']) };
/** Names in capitals take more tokens than are estimated: these are some 15,000 at most when they are counted. */
const VIEW_TOKENS = 10_000;
const MOST_TOKENS = 15_000;
const MOST_FOUND = 100;

interface Measured {
  readonly isLeftOut: boolean;
  /** Shares of the gold tables and columns. */
  readonly shown: number;
  readonly said: number;
  readonly fields: number | null;
  readonly tables: number;
  readonly tokens: number;
  readonly ms: number;
}

const options = readBenchOptions();
const data =
  readTerminalEnvironment().dataDirectory ?? join(import.meta.dirname, '..', '..', 'shared', 'data');
try {
  const set = await readLinkSet('snow', { dataDirectory: data, ...(options.isSmoke ? SMOKE : {}) });
  const names = [...set.databases.keys()].sort();
  const tables = [...set.databases.values()].flatMap(({ catalog }) => catalog.tables);
  const catalog: Catalog = {
    ...{ database: 'warehouse', dialect: 'snowflake', fingerprint: 'spider2-snow', tables, foreignKeys: [] },
  };
  const measured = await measureAll(catalog, set.cases, (name) => isLeftOut(names.indexOf(name)));
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
  const rows = [
    summarise(
      'databases left out',
      measured.filter((each) => each.isLeftOut),
    ),
    summarise(
      'databases learned from',
      measured.filter((each) => !each.isLeftOut),
    ),
    summarise('all', measured),
  ];
  const figures = { databases: names.length, tables: tables.length, columns };
  printReport({ bench: 'one-catalog', about: ABOUT, rows, figures }, options);
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`one-catalog: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

async function measureAll(
  catalog: Catalog,
  cases: readonly LinkCase[],
  isOfLeftOut: (database: string) => boolean,
): Promise<readonly Measured[]> {
  const prepared = await prepareLinking(catalog);
  const retrieval = await openRetrieval(catalog);
  const measured: Measured[] = [];
  for (const asked of cases) {
    const from = performance.now();
    const { question: text, hint } = asked;
    const retrieved = await retrieval.find(asked, { mostTables: MOST_FOUND });
    const keywords = fallbackKeywords(text);
    const linked = await linkSchema(
      { text, hint, knowledge: [], ledger: new TokenLedger() },
      {
        ...{ ...prepared, semantics: emptySemanticModel, keywords, quoted: [], retrieved },
        ...{ readings: () => [], ranker: rankByRetrieval() },
      },
      { ...LINK_DEFAULTS, mode: 'filter', viewTokens: VIEW_TOKENS },
    );
    const ms = performance.now() - from;
    measured.push({
      ...inView(asked, linked.catalog, prepared.tables),
      isLeftOut: isOfLeftOut(asked.database),
      ms,
    });
  }
  await retrieval.close();
  return measured;
}

/** A prompt above the limit holds nothing. */
function inView({ goldTables, goldFields }: LinkCase, catalog: Catalog, index: TableIndex) {
  const prompt = sharedAnnotatedText(catalog, 'all');
  const tokens = countTokens(prompt);
  const tables = tokens <= MOST_TOKENS ? catalog.tables : [];
  const shown = new Set(tables.map(({ id }) => id));
  const fields = shownFields(tables, index);
  const said = saidBeside(tables, prompt, index);
  const share = (gold: ReadonlySet<string>, isIn: (id: string) => boolean): number =>
    [...gold].filter(isIn).length / gold.size;
  return {
    shown: share(goldTables, (id) => shown.has(id)),
    said: share(goldTables, (id) => shown.has(id) || said.has(id)),
    fields: goldFields === null || goldFields.size === 0 ? null : share(goldFields, (id) => fields.has(id)),
    tables: catalog.tables.length,
    tokens,
  };
}

/** Those that stand under a table, and those that another one shows in its place. */
function shownFields(tables: readonly Table[], index: TableIndex): ReadonlySet<string> {
  const byPath = new Map(tables.map((table) => [pathOf(table), table]));
  const namesOf = ({ columns }: Table): ReadonlySet<string> =>
    new Set(columns.map(({ name }) => name.toLowerCase()));
  return new Set(
    tables.flatMap((table) => {
      const other = byPath.get(table.comment?.split('columns as in ')[1] ?? '');
      const names = namesOf(table.columns.length === 0 && other !== undefined ? other : table);
      const whole = index.table(table.id)?.columns ?? [];
      return whole.flatMap(({ id, name }) => (names.has(name.toLowerCase()) ? [id] : []));
    }),
  );
}

/** Tables like those that are shown, of which the prompt has the name, or the first and the last name of their family. */
function saidBeside(tables: readonly Table[], prompt: string, index: TableIndex): ReadonlySet<string> {
  const shown = new Set(tables.flatMap(({ id }) => index.familyOf(id) ?? []));
  const families = new Set([...shown].flatMap((family) => index.siblings(family)));
  return new Set(
    [...families].flatMap((family) => {
      const names = family.members.map(({ table }) => table.name).sort(compareText);
      const isRangeSaid = prompt.includes(`${names[0]} to ${names.at(-1)}`);
      return family.members.flatMap(({ table: { id, name } }) =>
        isRangeSaid || prompt.includes(name) ? [id] : [],
      );
    }),
  );
}

function pathOf({ qualifier = [], name }: Table): string {
  return [...qualifier, name].join('.');
}

function summarise(databases: string, measured: readonly Measured[]): Record<string, string | number> {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const tokens = measured.map((each) => each.tokens);
  return {
    databases,
    questions: measured.length,
    inView: mean(measured.map(({ said }) => said)),
    shown: mean(measured.map(({ shown }) => shown)),
    everyOne: mean(measured.map(({ said }) => (said === 1 ? 1 : 0))),
    columnsShown: mean(measured.flatMap(({ fields }) => fields ?? [])),
    tables: Math.round(mean(measured.map((each) => each.tables))),
    tokens: Math.round(mean(tokens)),
    mostTokens: Math.max(0, ...tokens),
    p50Ms: percentile(
      measured.map(({ ms }) => ms),
      0.5,
    ),
    p95Ms: percentile(
      measured.map(({ ms }) => ms),
      0.95,
    ),
  };
}
