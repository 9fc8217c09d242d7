/** The columns of a description file, in the order of the published ones. */
export const DESCRIPTION_COLUMNS = [
  'original_column_name',
  'column_name',
  'column_description',
  'data_format',
  'value_description',
] as const;

export type DescriptionColumn = (typeof DESCRIPTION_COLUMNS)[number];

/** The vendor of what only this format knows. */
export const BIRD_VENDOR = 'BIRD';

/** The folder between a database's and its files. */
export const DESCRIPTION_FOLDER = 'database_description';
