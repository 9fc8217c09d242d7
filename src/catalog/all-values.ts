import type { Column } from './catalog.ts';

/** Values are kept up to this length: one that is as long may be the start of another. */
const KEPT_CHARACTERS = 80;

/** All values of a column, where they are known: few, short, and every row was looked at. */
export function allValues({ profile }: Column): readonly string[] | undefined {
  if (profile === undefined || profile.pii?.isWithheld === true || profile.sampledBy !== undefined)
    return undefined;
  const { examples, distinctCount } = profile;
  const values = examples.length === distinctCount ? examples : profile.allValues;
  const isWhole = values !== undefined && values.length > 0;
  return isWhole && values.every(({ length }) => length < KEPT_CHARACTERS) ? values : undefined;
}
