/** Column descriptions of the BIRD benchmark: `<database>/database_description/<table>.csv`. */
import type { InterchangeFormat } from '../foreign/conversion.ts';
import { readDescriptions, writeDescriptions } from './descriptions.ts';

export const BIRD: InterchangeFormat = {
  name: 'bird',
  title: 'BIRD column descriptions (database_description/*.csv)',
  // Spreadsheets on Windows wrote several of the published files.
  legacyEncoding: 'windows-1252',
  accepts: (path) => path.toLowerCase().endsWith('.csv'),
  import: readDescriptions,
  export: ({ models }) => ({ files: models.flatMap(writeDescriptions), losses: [] }),
};
