/** Stored values that are like one that a column does not hold. */
import { nearestNames } from '../../language/index.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';

/** Of a column, by id: its values that are like a text, the likest first. */
export type NearValues = (columnId: string, text: string) => readonly string[];

const MOST = 3;
/** Texts of this length and more are sentences; no edit distance is worth its time. */
const LONGEST = 100;

/** Among the values that the schema knows of a column. */
export function storedNear(schema: SchemaFacts): NearValues {
  return (columnId, text) => {
    const stored = schema.valuesOf(columnId);
    return stored === undefined || text.length > LONGEST ? [] : nearestNames(text, stored.exact, MOST);
  };
}
