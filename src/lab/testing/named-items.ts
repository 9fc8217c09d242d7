/** Tables and columns that cases name: found in the catalog before anything is asked, and in SQL afterwards. */

import type { Catalog } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { nearestNames } from '../../language/index.ts';
import type { ExpectRow } from '../corpus/question-row.ts';
import { goldItems } from '../linking/score/gold-items.ts';
import type { TestCase } from './test-case.ts';

/** Throws `eval.case-invalid` with file and line for a name that the database does not have: it would test nothing. */
export function checkNamedItems(cases: readonly TestCase[], catalog: Catalog): void {
  for (const { file, line, id, turns } of cases)
    for (const name of turns.flatMap(({ expect }) => namesOf(expect))) {
      if (idsOf(name, catalog).length > 0) continue;
      const [near] = nearestNames(name, allNames(catalog), 1);
      const hint = near === undefined ? '`candor catalog` lists them' : `did you mean ${near}?`;
      throw new CandorError(
        'eval.case-invalid',
        `${file}:${line}: ${id} names ${name}, which is no table and no table.column of the database; ${hint}`,
      );
    }
}

/** What is wrong with the tables and columns of a query, in sentences; none where all is as it should be. */
export function itemProblems(sql: string, expect: ExpectRow, catalog: Catalog): readonly string[] {
  if (namesOf(expect).length === 0 || expect.kind !== 'answered') return [];
  const used = goldItems(sql, catalog);
  if (!used.ok) return [`its tables and columns cannot be told: ${used.because}`];
  const uses = (name: string): boolean =>
    idsOf(name, catalog).some((id) => used.tables.has(id) || used.fields.has(id));
  const { mustContain = [], mustNotContain = [] } = expect;
  return [
    ...mustContain.filter((name) => !uses(name)).map((name) => `the SQL does not use ${name}`),
    ...mustNotContain.filter(uses).map((name) => `the SQL uses ${name}`),
  ];
}

function namesOf(expect: ExpectRow | undefined): readonly string[] {
  return expect?.kind === 'answered' ? [...(expect.mustContain ?? []), ...(expect.mustNotContain ?? [])] : [];
}

/** Ids of the tables, or else the columns, that a name means; the outer parts of an id may be left out. */
function idsOf(name: string, { tables }: Catalog): readonly string[] {
  const wanted = name.toLowerCase();
  const isMeant = ({ id }: { readonly id: string }): boolean => id === wanted || id.endsWith(`.${wanted}`);
  const ofTables = tables.filter(isMeant).map(({ id }) => id);
  if (ofTables.length > 0 || !wanted.includes('.')) return ofTables;
  return tables.flatMap(({ columns }) => columns.filter(isMeant).map(({ id }) => id));
}

function allNames({ tables }: Catalog): readonly string[] {
  return tables.flatMap(({ id, columns }) => [id, ...columns.map((column) => column.id)]);
}
