/** The name a called function is known by: upper case, and one of those that mean the same in every dialect. */
import type { SqlNode } from '../tree/node.ts';

const SAME: ReadonlyMap<string, string> = new Map(
  `COALESCE: IFNULL NVL; SUBSTRING: SUBSTR; CEIL: CEILING; POW: POWER; LOWER: LCASE; UPPER: UCASE;
  CHAR_LENGTH: CHARACTER_LENGTH; STDDEV: STDEV; RANDOM: RAND; CURRENT_TIMESTAMP: NOW; DATE_TRUNC: DATETRUNC;
  GROUP_CONCAT: STRING_AGG LISTAGG; BOOL_AND: EVERY; ARG_MAX: MAX_BY ARGMAX; ARG_MIN: MIN_BY ARGMIN`
    .split(';')
    .flatMap((line) => {
      const [name = '', others = ''] = line.split(':').map((part) => part.trim());
      return others.split(' ').map((other) => [other, name] as const);
    }),
);

export function functionName({ value }: SqlNode): string {
  const name = (value ?? '').toUpperCase();
  return SAME.get(name) ?? name;
}
