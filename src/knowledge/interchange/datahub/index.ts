/** DataHub: metadata files of change proposals or events, as its file sink and `datahub get` write them. */
import type { InterchangeFormat } from '../foreign/conversion.ts';
import { exportDataHub } from './export-datahub.ts';
import { importDataHub } from './import-datahub.ts';

export const DATAHUB: InterchangeFormat = {
  name: 'datahub',
  title: 'DataHub metadata file (JSON of change proposals or events)',
  accepts: (path) => path.toLowerCase().endsWith('.json'),
  import: importDataHub,
  export: ({ models }) => ({ files: models.map(exportDataHub), losses: [] }),
};
