/** Open Semantic Interchange, now Apache Ossie: core specification 0.2, YAML or JSON. */

import { isCompanion } from '../conversion/companion.ts';
import type { InterchangeFormat } from '../foreign/conversion.ts';
import { exportOsi } from './export-osi.ts';
import { importOsi } from './import-osi.ts';

export const OSI: InterchangeFormat = {
  name: 'osi',
  title: 'Open Semantic Interchange model (YAML or JSON)',
  accepts: (path) => /\.(?:ya?ml|json)$/i.test(path) && !isCompanion(path),
  import: importOsi,
  export: exportOsi,
};
