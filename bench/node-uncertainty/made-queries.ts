import type { Column } from '../../src/catalog/index.ts';
import { prepareSchemaFacts } from '../../src/faults/index.ts';
import { type ReadQuery, readQuery } from '../../src/faults/reading/index.ts';
import { prepareLinking } from '../../src/linking/index.ts';
import { formSchemaOpinion } from '../../src/reasoning/grounded/linking/index.ts';
import { buildSyntheticDatabase } from '../synthetic-catalog.ts';
import type { JudgedQuery } from './judged-query.ts';

export interface MadeSize {
  /** Of twenty columns each. */
  readonly tables: number;
  /** Of the query; about five nodes each. */
  readonly conditions: number;
  readonly others: number;
}

const SEED = 7;

/** A query over one table of a made schema, and others that differ from it in a few values. */
export async function makeJudged({ tables, conditions, others }: MadeSize): Promise<JudgedQuery> {
  const { catalog } = buildSyntheticDatabase(tables, SEED);
  const [table] = catalog.tables;
  if (table === undefined) throw new Error('the made schema has no table');
  const columns = table.columns.filter(({ family }) => family === 'number');
  const sqlOf = (changed: number): string => {
    const list = Array.from({ length: conditions }, (_, at) => {
      const { name } = columns[at % columns.length] as Column;
      return `T1.${name} > ${at % conditions === changed % conditions ? 10_000 + changed : at}`;
    });
    return `SELECT T1.city FROM ${table.name} AS T1 WHERE ${list.join(' AND ')} ORDER BY T1.name LIMIT 1`;
  };
  const question = `Which city has the first name where ${columns[0]?.name} is more than 0 in ${table.name}?`;
  const hint = `first refers to MIN(name); ${columns[1]?.name} > 1`;
  const { linker, forests } = await prepareLinking(catalog);
  const read = (sql: string): readonly ReadQuery[] => {
    const one = readQuery(sql, 'sqlite', catalog);
    return one.ok ? [one.query] : [];
  };
  return {
    ...{ sql: sqlOf(conditions), question, hint, catalog, facts: prepareSchemaFacts(catalog) },
    opinion: formSchemaOpinion({ question, hint }, linker, forests),
    others: Array.from({ length: others }, (_, at) => sqlOf(at + 1)).flatMap(read),
    labels: new Uint8Array(0),
  };
}
