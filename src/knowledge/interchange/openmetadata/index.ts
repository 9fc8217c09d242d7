/** OpenMetadata: answers of its API (tables, metrics, glossary terms) and its CSV exports. */
import type { InterchangeFormat } from '../foreign/conversion.ts';
import { exportOpenMetadata } from './export-openmetadata.ts';
import { importOpenMetadata } from './import-openmetadata.ts';

export const OPENMETADATA: InterchangeFormat = {
  name: 'openmetadata',
  title: 'OpenMetadata (JSON of tables, metrics and glossary terms; CSV exports)',
  accepts: (path) => /\.(?:json|csv)$/i.test(path),
  import: importOpenMetadata,
  export: ({ models }) => ({ files: models.flatMap(exportOpenMetadata), losses: [] }),
};
