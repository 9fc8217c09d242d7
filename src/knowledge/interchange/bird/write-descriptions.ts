import type { FileModel } from '../../semantic/semantic-file.ts';
import { type DescribedColumn, describeModel, tableOf } from '../conversion/described-model.ts';
import { fileNameOf, shortestNames } from '../conversion/distinct-names.ts';
import type { ForeignFile } from '../foreign/conversion.ts';
import { writeCsv } from '../foreign/csv-text.ts';
import { BIRD_VENDOR, DESCRIPTION_COLUMNS, DESCRIPTION_FOLDER } from './read-descriptions.ts';
import { readValueDescription, writeValueDescription } from './read-value-description.ts';

/** One file for each dataset. Computed fields are no columns and are left out. */
export function writeDescriptions(model: FileModel): readonly ForeignFile[] {
  const { name, tables } = describeModel(model, BIRD_VENDOR);
  const names = shortestNames(tables.map(({ source }) => [fileNameOf(tableOf(source))]));
  return tables.map(({ columns }, index) => {
    const rows = columns.filter(({ expression }) => expression === undefined).map(writeRow);
    return {
      path: `${fileNameOf(name)}/${DESCRIPTION_FOLDER}/${names[index]}.csv`,
      text: writeCsv([[...DESCRIPTION_COLUMNS], ...rows]),
    };
  });
}

function writeRow(column: DescribedColumn): readonly string[] {
  const { name, fieldName, synonyms, datatype = '', extension = {} } = column;
  const called = typeof extension.column_name === 'string' ? extension.column_name : '';
  const { description, values } = splitDescription(column);
  return [name, fieldName ?? synonyms[0] ?? called, description, datatype, values];
}

/** The text of the values as it came, unless somebody has changed the description or the codes since. */
function splitDescription({ description = '', values, extension = {} }: DescribedColumn): {
  description: string;
  values: string;
} {
  const came = typeof extension.value_description === 'string' ? extension.value_description : '';
  const isNumeric = values.some(({ value }) => typeof value === 'number');
  const read = values.length === 0 ? { values: [], rest: came } : readValueDescription(came, isNumeric);
  const isSame = JSON.stringify(read.values) === JSON.stringify(values);
  if (came !== '' && isSame && (read.rest === '' || `\n${description}`.endsWith(`\n${read.rest}`))) {
    const length = description.length - (read.rest === '' ? 0 : read.rest.length + 1);
    return { description: description.slice(0, Math.max(0, length)), values: came };
  }
  return { description, values: writeValueDescription(values) };
}
