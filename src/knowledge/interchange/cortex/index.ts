/** Snowflake Cortex Analyst: semantic models and semantic views in YAML. */
import { isCompanion } from '../conversion/companion.ts';
import type { InterchangeFormat } from '../foreign/conversion.ts';
import { exportCortex } from './export-cortex.ts';
import { importCortex } from './import-cortex.ts';

export const CORTEX: InterchangeFormat = {
  name: 'cortex',
  title: 'Snowflake Cortex Analyst semantic model (YAML)',
  accepts: (path) => /\.ya?ml$/i.test(path) && !isCompanion(path),
  import: importCortex,
  export: exportCortex,
};
