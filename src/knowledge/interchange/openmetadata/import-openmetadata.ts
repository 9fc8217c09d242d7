import { type DescribedLink, type DescribedTable, tableOf } from '../conversion/described-model.ts';
import { findMetricHome } from '../conversion/metric-home.ts';
import { distinctWords, modelFromDescription } from '../conversion/model-from-description.ts';
import { distinctName, shortestNames } from '../conversion/names.ts';
import { AsideBox, blocks, withoutUndefined } from '../conversion/vendor-block.ts';
import type { ForeignFile, Imported, Loss } from '../foreign/conversion.ts';
import {
  type ForeignRecord,
  foreignText,
  isEmpty,
  recordsIn,
  textOf,
  withoutEmpty,
} from '../foreign/foreign-record.ts';
import { expressionIn, isRecord, type LeanMetric } from '../foreign/lean-model.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';
import { isAggregate } from '../foreign/sql-expression.ts';
import { describeTable, namesIn, ownKeys, type TermWords } from './describe-table.ts';
import {
  OPENMETADATA_VENDOR,
  type OpenMetadataEntity,
  readEntities,
  readFqn,
  writeFqn,
} from './read-entities.ts';

interface Found {
  readonly entity: OpenMetadataEntity;
  /** With the service before it. */
  readonly fqn: readonly string[];
  readonly name: string;
}

/** Tables with their words and keys, metrics that one table can answer, and the glossary as notes. */
export function importOpenMetadata(files: readonly ForeignFile[]): Imported {
  const losses: Loss[] = [];
  const entities = readEntities(files, losses);
  const terms = termWords(entities.terms);
  const found = nameTables(entities.tables);
  const tables = found.map(({ entity, fqn, name }) =>
    describeTable(entity, { name, source: sourceOf(fqn), terms }),
  );
  const aside = new AsideBox();
  const metrics = importMetrics(entities.metrics, tables, { aside, losses });
  reportCarried(entities.tables, losses);
  const model = modelFromDescription(
    {
      name: modelName(files),
      tables,
      links: found.flatMap((table) => importLinks(table, found, losses)),
      metrics,
      extension: withoutEmpty({
        service: found
          .map(({ fqn }) => (fqn.length > 1 ? fqn[0] : undefined))
          .find((name) => name !== undefined),
        terms: entities.terms.map(({ record }) => ownKeys(record)),
        ...aside.block(),
      }),
    },
    OPENMETADATA_VENDOR,
    losses,
  );
  return { models: [model], examples: [], notes: glossary(entities.terms), losses };
}

/** The folder that all files stand in. */
function modelName(files: readonly ForeignFile[]): string {
  const folders = new Set(files.map(({ path }) => path.split('/').slice(0, -1).at(-1) ?? ''));
  const [folder = ''] = folders;
  return folders.size === 1 && folder.trim() !== '' ? folder.trim() : 'openmetadata';
}

function nameTables(entities: readonly OpenMetadataEntity[]): readonly Found[] {
  const fqns = entities.map(({ record }) => {
    const schema = isRecord(record.databaseSchema)
      ? textOf(record.databaseSchema.fullyQualifiedName)
      : undefined;
    const above = schema === undefined ? undefined : readFqn(schema);
    const name = foreignText(record.name).trim();
    return readFqn(foreignText(record.fullyQualifiedName)) ?? [...(above ?? []), name];
  });
  const names = shortestNames(fqns);
  return entities.map((entity, index) => ({ entity, fqn: fqns[index] ?? [], name: names[index] ?? '' }));
}

/** Without the service, which is OpenMetadata's name for the connection. */
function sourceOf(fqn: readonly string[]): string {
  return (fqn.length > 1 ? fqn.slice(1) : fqn).join('.');
}

/** A term's name, its display name and its synonyms, by its whole name. */
function termWords(terms: readonly OpenMetadataEntity[]): TermWords {
  return new Map(
    terms.flatMap(({ record }): [string, string[]][] => {
      const words = [record.displayName, record.name, ...namesIn(record.synonyms)];
      const fqn = textOf(record.fullyQualifiedName);
      return fqn === undefined ? [] : [[fqn, words.flatMap((word) => textOf(word) ?? [])]];
    }),
  );
}

function glossary(terms: readonly OpenMetadataEntity[]): Imported['notes'] {
  return terms.flatMap(({ record, place }) => {
    const description = textOf(record.description);
    const name = textOf(record.displayName) ?? foreignText(record.name);
    return description === undefined ? [] : [{ text: `${name}: ${description}`, topic: 'Glossary', place }];
  });
}

function importLinks({ entity, name }: Found, tables: readonly Found[], losses: Loss[]): DescribedLink[] {
  return recordsIn(entity.record.tableConstraints).flatMap((constraint): DescribedLink[] => {
    if (constraint.constraintType !== 'FOREIGN_KEY') return [];
    const referred = namesIn(constraint.referredColumns).map(readFqn);
    const owner = referred[0]?.slice(0, -1);
    const target = owner && tables.find(({ fqn }) => writeFqn(fqn) === writeFqn(owner));
    const toColumns = referred.flatMap((fqn) => {
      const isSame =
        fqn !== undefined && owner !== undefined && writeFqn(fqn.slice(0, -1)) === writeFqn(owner);
      return isSame ? (fqn.at(-1) ?? []) : [];
    });
    const fromColumns = namesIn(constraint.columns);
    if (target !== undefined && toColumns.length === fromColumns.length)
      return [{ from: name, to: target.name, fromColumns, toColumns, synonyms: [] }];
    const what = 'a foreign key to a table that is not here, or with unlike columns';
    losses.push({ kind: 'kept', place: entity.place, what });
    return [];
  });
}

const SILENT = new Set([
  'name',
  'displayName',
  'description',
  'columns',
  'fullyQualifiedName',
  'tableConstraints',
]);

/** One line for each kind of thing that has no effect here, and one for what a server had added. */
function reportCarried(tables: readonly OpenMetadataEntity[], losses: Loss[]): void {
  const counts = new Map<string, number>();
  const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  let added = 0;
  for (const { record } of tables) {
    const own = ownKeys(record);
    if (Object.keys(own).length < Object.keys(record).length) added += 1;
    for (const [key, value] of Object.entries(own))
      if (!SILENT.has(key) && !isEmpty(value)) add(`${key} of a table`);
    for (const column of recordsIn(record.columns)) countColumn(column, add);
  }
  for (const [what, count] of counts)
    losses.push({ kind: 'kept', place: what, what: `${count} times; carried along without effect` });
  if (added > 0)
    losses.push({
      kind: 'dropped',
      place: 'tables',
      what: `what the server adds to ${added} tables, sample rows among it`,
    });
}

function countColumn(column: ForeignRecord, add: (key: string) => void): void {
  if (recordsIn(column.children).length > 0) add('fields inside a column');
  if (recordsIn(column.tags).some(({ source }) => source !== 'Glossary')) add('tags of a column');
}

/** `SELECT <aggregate> FROM <table> [WHERE <condition>]`; anything more is no single figure of a table. */
const QUERY =
  /^\s*SELECT\s+([\s\S]+?)(?:\s+AS\s+"?\w+"?)?\s+FROM\s+([\w."]+)(?:\s+WHERE\s+([\s\S]+?))?\s*;?\s*$/i;
/** Units that say that there is none. */
const NO_UNIT = new Set(['COUNT', 'OTHER', 'UNKNOWN']);

interface MetricBasket {
  readonly aside: AsideBox;
  readonly losses: Loss[];
}

/** Metrics in SQL that aggregate one table that is here; others are kept whole. */
function importMetrics(
  metrics: readonly OpenMetadataEntity[],
  tables: readonly DescribedTable[],
  { aside, losses }: MetricBasket,
): readonly LeanMetric[] {
  const logical = tables.map(({ name, source }) => ({
    name,
    table: tableOf(source).toLowerCase(),
    members: new Map<string, string>(),
  }));
  const taken = new Set<string>();
  return metrics.flatMap(({ record, place }, at): LeanMetric[] => {
    const found = readDefinition(record, logical);
    if (typeof found === 'string') {
      losses.push({
        kind: 'kept',
        place,
        what: `metric ${foreignText(record.name)} takes no part in questions: ${found}`,
      });
      aside.add('metrics', at, ownKeys(record));
      return [];
    }
    const name = distinctName([foreignText(record.name).trim()], taken);
    const words = distinctWords([record.displayName, ...namesIn(record.synonyms)], [...taken]);
    for (const word of words) taken.add(word.toLowerCase());
    const { description: _, ...kept } = ownKeys(record);
    return [
      withoutUndefined({
        name,
        expression: expressionIn(found.sql),
        description: textOf(record.description),
        ai_context: words.length === 0 ? undefined : { synonyms: words },
        custom_extensions: blocks({
          CANDOR: {
            table: found.table,
            filters: found.filter === undefined ? undefined : [found.filter],
            unit: unitOf(record),
          },
          [OPENMETADATA_VENDOR]: { metric: kept },
        }),
      }),
    ];
  });
}

interface Definition {
  readonly table: string;
  readonly sql: string;
  readonly filter?: string;
}

/** What the metric aggregates, or why it is none of ours. */
function readDefinition(record: ForeignRecord, tables: readonly LogicalTable[]): Definition | string {
  const expression = isRecord(record.metricExpression) ? record.metricExpression : {};
  const code = textOf(expression.code);
  if (code === undefined) return 'it has no expression';
  if (expression.language !== undefined && expression.language !== 'SQL')
    return `its expression is in ${foreignText(expression.language).slice(0, 40)}`;
  const [, aggregate, from, condition] = code.length > 20_000 ? [] : (QUERY.exec(code) ?? []);
  const name = from?.replaceAll('"', '').split('.').at(-1)?.toLowerCase();
  const home = name === undefined ? undefined : tables.find(({ table }) => table === name);
  if (name !== undefined && home === undefined) return `it reads ${name}, which is not here`;
  const sql = aggregate ?? code;
  if (!isAggregate(sql)) return 'its expression is no aggregate that is understood';
  const found = findMetricHome(sql, tables, { home, known: [] });
  if (found.kind !== 'table') return found.kind === 'none' ? found.why : 'it is a ratio';
  if (condition === undefined) return { table: found.table, sql: found.sql };
  const filter = home && resolveExpression(condition, tables, home);
  if (filter === undefined || filter.tables.some((table) => table !== found.table))
    return 'its condition is not understood';
  return { table: found.table, sql: found.sql, filter: filter.sql };
}

function unitOf(record: ForeignRecord): string | undefined {
  const own = textOf(record.customUnitOfMeasurement);
  const unit = textOf(record.unitOfMeasurement);
  return own ?? (unit === undefined || NO_UNIT.has(unit) ? undefined : unit.toLowerCase());
}
