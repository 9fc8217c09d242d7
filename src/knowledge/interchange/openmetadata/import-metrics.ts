import type { AsideBox } from '../aside.ts';
import type { Loss } from '../conversion.ts';
import { tableOf } from '../describe-model.ts';
import type { DescribedTable } from '../described-model.ts';
import { distinctName } from '../distinct-names.ts';
import { type ForeignRecord, textOf } from '../foreign-record.ts';
import { foreignText } from '../foreign-text.ts';
import { expressionIn, isRecord, type LeanMetric } from '../lean-model.ts';
import { findMetricHome } from '../metric-home.ts';
import { distinctWords } from '../model-from-description.ts';
import { type LogicalTable, resolveExpression } from '../resolve-expression.ts';
import { isAggregate } from '../sql-expression.ts';
import { blocks, withoutUndefined } from '../vendor-block.ts';
import { namesIn, ownKeys } from './describe-table.ts';
import { OPENMETADATA_VENDOR } from './fqn.ts';
import type { OpenMetadataEntity } from './read-entities.ts';

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
export function importMetrics(
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
