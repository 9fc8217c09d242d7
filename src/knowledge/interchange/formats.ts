import { CandorError } from '../../errors.ts';
import { nearestNames } from '../../language/index.ts';
import { BIRD } from './bird/index.ts';
import { CORTEX } from './cortex/index.ts';
import { CUBE } from './cube/index.ts';
import { DATAHUB } from './datahub/index.ts';
import { DBT } from './dbt/index.ts';
import type { InterchangeFormat } from './foreign/conversion.ts';
import { LOOKML } from './lookml/index.ts';
import { OPENMETADATA } from './openmetadata/index.ts';
import { OSI } from './osi/index.ts';

/** Every format, in the order that help lists them. A new one is a folder with an index file and a line here. */
export const INTERCHANGE_FORMATS: readonly InterchangeFormat[] = [
  OSI,
  CORTEX,
  CUBE,
  LOOKML,
  DBT,
  BIRD,
  DATAHUB,
  OPENMETADATA,
];

/** The format of a name; throws `interchange.unknown-format` with the nearest one. */
export function findFormat(name: string): InterchangeFormat {
  const found = INTERCHANGE_FORMATS.find((format) => format.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = INTERCHANGE_FORMATS.map((format) => format.name);
  const [near] = nearestNames(name, names, 1);
  const hint = near === undefined ? `known formats: ${names.join(', ')}` : `did you mean ${near}?`;
  throw new CandorError('interchange.unknown-format', `There is no format \`${name}\`; ${hint}`);
}
