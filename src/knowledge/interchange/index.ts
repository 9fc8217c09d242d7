/** Semantic models of other tools, read and written; nothing below needs it. */

export { repairText } from './bird/descriptions.ts';
export { isCompanion } from './conversion/companion.ts';
export type { Imported, Loss } from './foreign/conversion.ts';
export { type CsvRow, readCsv } from './foreign/csv-text.ts';
export { findFormat, INTERCHANGE_FORMATS } from './formats.ts';
export { exportKnowledge, importKnowledge, readModelFiles } from './import-knowledge.ts';
export { decodeForeignText, readForeignFiles } from './read-foreign-files.ts';
export { type WrittenImport, writeImported } from './write-imported.ts';
