/** Files as a database: CSV, JSON lines, Parquet and spreadsheets. */

export { filesUrl, isFilesUrl, relativeFiles } from './file-source.ts';
export { type FilesEvent, keepFiles } from './keep-files.ts';
