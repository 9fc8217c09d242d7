/** Looker: views, models and explores in LookML; read only. */
import type { InterchangeFormat } from '../foreign/conversion.ts';
import { importLookml } from './import-lookml.ts';

export const LOOKML: InterchangeFormat = {
  name: 'lookml',
  title: 'LookML views and models (import only)',
  accepts: (path) => /\.(?:lkml|lookml)$/i.test(path) && !/\.dashboard\./i.test(path),
  import: importLookml,
};
