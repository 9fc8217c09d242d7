/** Our own state: one SQLite file, and PostgreSQL for shared installations. What users ask about is in `database/`. */
export { openStateFile, type StateFile } from './state-file.ts';
