/** Cube: data model files in YAML, `model/cubes` and `model/views`. */
import { isCompanion } from '../conversion/companion.ts';
import type { InterchangeFormat } from '../foreign/conversion.ts';
import { exportCube } from './export-cube.ts';
import { importCube } from './import-cube.ts';

export const CUBE: InterchangeFormat = {
  name: 'cube',
  title: 'Cube data model (YAML)',
  accepts: (path) => /\.ya?ml$/i.test(path) && !isCompanion(path),
  import: importCube,
  export: exportCube,
};
