import type { Mention } from '../mention/mention.ts';
import { type Unit, unitNamed } from '../read/units.ts';
import type { Cursor } from './cursor.ts';
import { measuredIn } from './measured-in.ts';
import { tableScore } from './nouns.ts';

/** A unit behind a number, with what else says which column it measures. */
export interface UnitBehind {
  readonly said: string;
  readonly unit: Unit;
  /** Where the question goes on. */
  readonly next: number;
  /** "5 minutes in length": the column. */
  readonly noun?: Mention;
  /** "6 feet tall": words that the column is called by. */
  readonly attributes?: readonly string[];
}

const HOW: Readonly<Record<string, readonly string[]>> = {
  long: ['length', 'duration', 'time', 'distance'],
  old: ['age'],
  tall: ['height'],
  high: ['height', 'altitude', 'elevation'],
  wide: ['width'],
  deep: ['depth'],
  heavy: ['weight'],
};

/** "5 minutes", "80 kg", "6 feet tall": the unit at an offset; rows of a table called so are no unit. */
export function unitBehind(cursor: Cursor, offset: number): UnitBehind | undefined {
  const mention = cursor.at(offset);
  const unit = mention === undefined || mention.isQuoted ? undefined : unitNamed(mention.text);
  if (mention === undefined || unit === undefined || tableScore(mention) >= 0.85) return undefined;
  const said = mention.text;
  const next = offset + 1;
  const noun = measuredIn(cursor, next);
  if (noun !== undefined) return { said, unit, noun, next: next + 2 };
  const how = cursor.at(next)?.text.toLowerCase() ?? '';
  const attributes = Object.hasOwn(HOW, how) ? HOW[how] : undefined;
  return { said, unit, attributes, next: attributes === undefined ? next : next + 1 };
}
