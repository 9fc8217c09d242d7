/** A part of the schema as text for a model, at its evidence level. */
import { type Column, type EvidenceLevel, renderEvidence, type Table } from '../../../catalog/index.ts';
import type { SchemaView, ViewedTable } from '../../link-reasoner.ts';
import { cellText, nameText } from './data-block.ts';

const SHOWN_NOTES = 3;

/** L0: a line a table; from L1 on a line a column. What is not known is left out at L1 and said from L2 on. */
export function renderView({ level, tables }: SchemaView): string {
  return tables.map((viewed) => renderTable(viewed, level)).join('\n');
}

/** The name that the engine knows a table by, with as much before it as its id has. */
export function shownTableName({ id, name, schema, catalog }: Table): string {
  const names = [name, `${schema}.${name}`, `${catalog}.${schema}.${name}`];
  return names.find((each) => each.toLowerCase() === id) ?? id;
}

function renderTable({ table, columns, family, notes }: ViewedTable, level: EvidenceLevel): string {
  const members =
    family === undefined
      ? ''
      : ` (one of ${family.total} like tables ${nameText(family.pattern)}, ${nameText(family.first)} to ${nameText(family.last)}; its name stands for all)`;
  const head = `table ${nameText(shownTableName(table))}${members}${noteText(notes.get(table.id))}`;
  if (level === 'L0') {
    const names = columns.map(({ id, name }) => `${nameText(name)}${noteText(notes.get(id))}`);
    return `${head}: ${names.join(', ')}`;
  }
  const about = level !== 'L1' && table.comment ? [`  -- ${cellText(table.comment)}`] : [];
  const lines = columns.map((column) => {
    const facts = level === 'L1' ? structureText(column, table) : evidenceText(column, level);
    return `  ${nameText(column.name)}${facts}${noteText(notes.get(column.id))}`;
  });
  return [head, ...about, ...lines].join('\n');
}

/** Type and class; a column without a profile is a key where the engine says so. */
function structureText({ id, type, profile }: Column, { primaryKey }: Table): string {
  const known = profile?.semanticClass ?? (primaryKey.includes(id) ? 'key' : '');
  const facts = [cellText(type), known].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : `: ${facts.join(', ')}`;
}

function evidenceText(column: Column, level: EvidenceLevel): string {
  const [, ...facts] = renderEvidence(column, level);
  return `: ${facts.map(({ name, value }) => `${name}: ${cellText(value)}`).join('; ')}`;
}

/** What retrieval found, in brackets. */
export function noteText(notes: readonly string[] | undefined): string {
  if (notes === undefined || notes.length === 0) return '';
  return ` [${notes
    .slice(0, SHOWN_NOTES)
    .map((note) => cellText(note))
    .join('; ')}]`;
}
