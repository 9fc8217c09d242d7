/**
 * Schema linking without a model: its readings of the question are hypotheses, grounding is the trained ranker, and
 * refinement is rules over evidence, statistics and dry runs.
 */
import type { Catalog } from '../../../catalog/index.ts';
import { parse } from '../../../sql/index.ts';
import { differences, readHypothesis, readUse, type SqlUse } from '../../replay/index.ts';
import type {
  LinkHypothesis,
  LinkReasoner,
  NamedField,
  NamedTable,
  RefineCall,
  RefineView,
  SchemaView,
  UncertainItem,
} from '../../roles/link-reasoner.ts';
import { CHOICE_RISKS, type ChoiceRisks, type SchemaOpinion } from './schema-opinion.ts';

export interface GroundedLinkSettings {
  /** What the hypothesis of the words alone may leave out; it leans to recall. */
  readonly wide: ChoiceRisks;
  /** What is added to the items of a reading. */
  readonly narrow: ChoiceRisks;
  /** An uncertain item is kept from this probability on. */
  readonly keepFrom: number;
}

export const GROUNDED_LINK_DEFAULTS: GroundedLinkSettings = {
  wide: CHOICE_RISKS,
  narrow: { table: 3, column: 0.5 },
  keepFrom: 0.02,
};

interface Path {
  readonly hypothesis: LinkHypothesis;
  readonly sql?: string;
  readonly tables: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

/** `readings`: SQL of the engine's readings, surest first; they may be none. */
export function groundedLinkReasoner(
  opinion: SchemaOpinion,
  readings: readonly string[],
  catalog: Catalog,
  settings: GroundedLinkSettings = GROUNDED_LINK_DEFAULTS,
): LinkReasoner {
  const words = wordsPath(opinion, settings);
  let paths: readonly Path[] = [words];
  const pathOf = (id: string): Path => paths.find(({ hypothesis }) => hypothesis.id === id) ?? words;
  return {
    kind: 'grounded',
    async hypothesise(_question, _view, most) {
      const read = readings
        .slice(0, most - 1)
        .flatMap((sql, at) => readingPath(`h${at + 2}`, sql, catalog, opinion, settings));
      paths = [words, ...read];
      return paths.map(({ hypothesis }) => ({
        ...hypothesis,
        differsBy: hypothesis === words.hypothesis ? [] : differences(hypothesis, words.hypothesis),
      }));
    },
    selectTables: async (_question, { id }, view) => tablesIn(view, pathOf(id), opinion),
    selectFields: async (_question, { id }, view) => fieldsIn(view, pathOf(id), opinion),
    refine: async (_question, view) => decide(view, { opinion, paths, settings, catalog }),
  };
}

function wordsPath(opinion: SchemaOpinion, { wide }: GroundedLinkSettings): Path {
  const { tables, fields } = opinion.choose(wide);
  const entities = opinion.tableOrder.filter((id) => tables.has(id));
  return {
    hypothesis: {
      id: 'h1',
      summary: 'what words, keys and stored values of the schema speak for',
      differsBy: [],
      entities,
      filters: [],
      joins: [],
      aggregations: [],
      time: '',
      ambiguous: [],
    },
    tables,
    fields,
  };
}

/** A reading's own items and the surest others: a reading guides, it is no whitelist. */
function readingPath(
  id: string,
  sql: string,
  catalog: Catalog,
  opinion: SchemaOpinion,
  { narrow }: GroundedLinkSettings,
): readonly Path[] {
  const parsed = parse(sql, catalog.dialect);
  if (!parsed.ok) return [];
  const use: SqlUse = readUse(parsed.tree, catalog);
  const sure = opinion.choose(narrow);
  return [
    {
      hypothesis: readHypothesis(id, parsed.tree, catalog, use),
      sql,
      tables: new Set([...use.tables, ...sure.tables]),
      fields: new Set([...use.fields, ...sure.fields]),
    },
  ];
}

function tablesIn({ tables }: SchemaView, path: Path, opinion: SchemaOpinion): readonly NamedTable[] {
  return tables.flatMap(({ table: { id } }) =>
    isIn(path.tables, id, opinion) ? [{ name: id, why: whyOf(id, opinion) }] : [],
  );
}

function fieldsIn({ tables }: SchemaView, path: Path, opinion: SchemaOpinion): readonly NamedField[] {
  return tables.flatMap(({ table, columns }) =>
    columns.flatMap(({ id, name }) =>
      isIn(path.fields, id, opinion) ? [{ table: table.id, column: name, why: whyOf(id, opinion) }] : [],
    ),
  );
}

/** Of a family another table may be in view than the one that was ranked. */
function isIn(chosen: ReadonlySet<string>, id: string, opinion: SchemaOpinion): boolean {
  return chosen.has(id) || chosen.has(opinion.firstOf(id));
}

function whyOf(id: string, opinion: SchemaOpinion): string {
  return opinion.reasons(id)[0]?.text ?? 'it goes with what the question names';
}

interface Deciding {
  readonly opinion: SchemaOpinion;
  readonly paths: readonly Path[];
  readonly settings: GroundedLinkSettings;
  readonly catalog: Catalog;
}

/** First turn: dry runs of the readings; second: decisions. */
function decide(view: RefineView, deciding: Deciding): readonly RefineCall[] {
  if (view.turn === 1) {
    const probes = deciding.paths.flatMap(({ hypothesis, sql }) =>
      sql === undefined
        ? []
        : [
            {
              id: `probe ${hypothesis.id}`,
              tool: 'probe_sql',
              arguments: { sql, purpose: `does ${hypothesis.id} give rows` },
            },
          ],
    );
    if (probes.length > 0) return probes;
  }
  const failed = failedReadings(view, deciding.paths);
  const verdicts = view.uncertain.map((item) => ({ item, why: whyDiscard(item, failed, deciding) }));
  const kept = verdicts.filter(({ why }) => why === undefined).map(({ item }) => item.id);
  const discarded = verdicts.flatMap(({ item, why }) => (why === undefined ? [] : [{ item, why }]));
  // Fields go before their tables: a table with a field that stays cannot go.
  const order = discarded.toSorted(
    (left, right) => Number(left.item.kind === 'table') - Number(right.item.kind === 'table'),
  );
  return [
    ...inCalls(kept).map(({ id, part }) => ({ id: `keep${id}`, tool: 'keep', arguments: { items: part } })),
    ...inCalls(order).map(({ id, part }) => ({
      id: `discard${id}`,
      tool: 'discard',
      arguments: { items: part.map(({ item }) => item.id), reason: part.map(({ why }) => why) },
    })),
  ];
}

/** What one call may decide. */
const MOST_ITEMS = 500;

/** In parts for one call each; those after the first are numbered. */
function inCalls<Item>(
  items: readonly Item[],
): readonly { readonly id: string; readonly part: readonly Item[] }[] {
  return Array.from({ length: Math.ceil(items.length / MOST_ITEMS) }, (_, at) => ({
    id: at === 0 ? '' : ` ${at + 1}`,
    part: items.slice(at * MOST_ITEMS, (at + 1) * MOST_ITEMS),
  }));
}

/** No rows, or SQL that the engine or the guard refuses; a busy engine, a limit or a missing right says nothing of it. */
const FAILED = /^(?:0 rows\b|error: (?:database\.(?:query-failed|not-visible):|the SQL\b))/;

/** Readings whose dry run ended in an error or without rows: what only they chose has little to stand on. */
function failedReadings({ turns }: RefineView, paths: readonly Path[]): readonly Path[] {
  const results = new Map(turns.flat().map(({ call, text }) => [call.id, text]));
  return paths.filter(({ hypothesis }) => FAILED.test(results.get(`probe ${hypothesis.id}`) ?? ''));
}

function whyDiscard(
  { id, kind }: UncertainItem,
  failed: readonly Path[],
  { opinion, paths, settings }: Deciding,
): string | undefined {
  const probability = kind === 'table' ? opinion.tableProbability(id) : opinion.columnProbability(id);
  const hasIt = ({ tables, fields }: Path): boolean => isIn(kind === 'table' ? tables : fields, id, opinion);
  const choosers = paths.filter(hasIt);
  if (choosers.length > 0 && choosers.every((path) => failed.includes(path)))
    return 'only a reading that gives no rows in a dry run uses it';
  if (probability >= settings.keepFrom || choosers.some(({ sql }) => sql !== undefined)) return undefined;
  return opinion.reasons(id).length === 0
    ? 'neither its name, its description, its values nor its keys are about the question'
    : 'other columns of the schema carry the same words of the question better';
}
