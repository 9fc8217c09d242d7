import type { ChatMessage } from '../../../../model/index.ts';
import type {
  LinkQuestion,
  OverviewTable,
  SchemaOverview,
  ViewedTable,
} from '../../../roles/link-reasoner.ts';
import { cellText, dataBlock, nameText, systemText } from '../blocks/data-block.ts';
import { questionBlocks } from '../blocks/question-blocks.ts';
import { familyText, noteText, shownTableName } from '../blocks/render-view.ts';

export const READ_TOGETHER_PROMPT_VERSION = 1;

const DESCRIPTION_CHARACTERS = 60;

/** Readings of a question, each with the tables and columns it needs (EviLink, sections 4 and 5, in one call). */
export function readTogetherPrompt(
  question: LinkQuestion,
  overview: SchemaOverview,
  most: number,
): readonly ChatMessage[] {
  const system = systemText(
    'give the readings of a question: the ways in which it could be turned into SQL over this schema, each with the tables and columns that its query needs.',
    [
      `A plain question has one reading: give just that. Give more, ${most} at most and the surest first, only where the question or the schema leaves a choice.`,
      'Two readings differ in at least one of four things: join_route (which tables lead from one thing to another), filter_encoding (which column or value carries a condition), aggregation_grain (what is counted or summed, and per what), temporal_interpretation (which date column, which period). Use "other" only where none of the four fits; the first differs in nothing: []. The same plan in other words is not a second reading.',
      'Name the columns that are shown, filtered, grouped, ordered, counted or summed, and both sides of every join; tables that only connect others or decode a code belong to it.',
      'If you are unsure whether the query of a reading needs a column, name it. Leave out what no query of this reading would touch.',
      'A table that is one of many like tables stands for all of them.',
      '"and N more" says that a table has columns which had no room; of "further tables" only names are shown. Where a reading needs such a table and its columns may be among those, put the table into "unseen": they will be shown.',
      'Write tables and columns with the names of the schema.',
    ],
    FORM,
  );
  const { tables, named } = overview;
  const blocks = [...questionBlocks(question), dataBlock('schema', tables.map(overviewLine).join('\n'))];
  if (named.length > 0) blocks.push(dataBlock('further tables', named.map(nameLine).join('\n')));
  return [
    { role: 'system', content: system },
    { role: 'user', content: blocks.join('\n') },
  ];
}

const FORM = `{"readings": [{
  "plan": "the plan in a sentence or two",
  "differsBy": ["join_route"],
  "tables": [{"name": "table", "columns": ["column", "another column"]}],
  "unseen": ["table of which more columns have to be seen"]
}]}`;

/** `table Orders: id INTEGER key, status TEXT (paid or open), and 12 more`. */
function overviewLine({ hiddenColumns, described, ...viewed }: OverviewTable): string {
  const { table, columns, notes } = viewed;
  const keys = new Set(table.primaryKey);
  const shown = columns.map(({ id, name, type, comment = '' }) => {
    const key = keys.has(id) ? ' key' : '';
    const said = described.has(id) && comment !== '' ? ` (${cellText(comment, DESCRIPTION_CHARACTERS)})` : '';
    return `${nameText(name)} ${cellText(type)}${key}${said}${noteText(notes.get(id))}`;
  });
  const more = hiddenColumns > 0 ? [`and ${hiddenColumns} more`] : [];
  return `${nameLine(viewed)}: ${[...shown, ...more].join(', ')}`;
}

function nameLine({ table, family, notes }: ViewedTable): string {
  return `table ${nameText(shownTableName(table))}${familyText(family)}${noteText(notes.get(table.id))}`;
}
