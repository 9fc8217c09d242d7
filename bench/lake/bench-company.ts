import { Company } from './company.ts';

/** In the folder of a run: the ids of the tables in order. */
export const INDEX_FILE = 'index';
const SEED = 7;
const TABLES_PER_USER = 20;

/** With a user for each question at least. */
export function benchCompany(tables: number, questions: number): Company {
  return new Company({
    tables,
    users: Math.max(questions, Math.round(tables / TABLES_PER_USER)),
    seed: SEED,
  });
}
