/** A part of the schema as text for a model, at its evidence level. */
import { type Column, type EvidenceLevel, renderEvidence, type Table } from '../../../../catalog/index.ts';
import type { LinkHypothesis, SchemaView, ViewedTable } from '../../../roles/link-reasoner.ts';
import { cellText, nameText, shortList } from './data-block.ts';

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
  const head = `table ${nameText(shownTableName(table))}${familyText(family)}${noteText(notes.get(table.id))}`;
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

export function familyText(family: ViewedTable['family']): string {
  if (family === undefined) return '';
  const { total, pattern, first, last } = family;
  return ` (one of ${total} like tables ${nameText(pattern)}, ${nameText(first)} to ${nameText(last)}; its name stands for all)`;
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

/** Of four readings told as one. */
const SUMMARY_CHARACTERS = 2_400;
const SHOWN = 30;

/** A reading as lines; what it does not say has no line. A model wrote it: it is data like the rest. */
export function hypothesisText(hypothesis: LinkHypothesis): string {
  const { summary, entities, filters, joins, aggregations, time, ambiguous } = hypothesis;
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['tables', entities],
    ['filters', filters.map(({ field, condition }) => `${field}: ${condition}`)],
    ['joins', joins.map(({ left, right }) => `${left} = ${right}`)],
    ['aggregations', aggregations.map((each) => `${each.function}(${each.field})`)],
    ['time', time === '' ? [] : [time]],
    ['could mean', ambiguous.map(({ phrase, options }) => `${phrase}: ${shortList(options, SHOWN, ' or ')}`)],
  ];
  return [
    cellText(summary, SUMMARY_CHARACTERS),
    ...lines
      .filter(([, entries]) => entries.length > 0)
      .map(
        ([name, entries]) =>
          `${name}: ${shortList(
            entries.map((entry) => cellText(entry)),
            SHOWN,
            '; ',
          )}`,
      ),
  ].join('\n');
}
