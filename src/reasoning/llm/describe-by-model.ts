/** A language model that says what tables, columns and codes are. */
import { z } from 'zod';
import type { LanguageModel } from '../../model/index.ts';
import type {
  DescribeOptions,
  Statement,
  TableDescription,
  TableToDescribe,
} from '../roles/describe-reasoner.ts';
import { askForJson, MODEL_REASONER_DEFAULTS } from './ask-for-json.ts';
import { cellText } from './prompts/blocks/data-block.ts';
import { describeTablePrompt } from './prompts/describe-table-prompt.ts';

/** Of one text that is kept. */
const TEXT_CHARACTERS = 300;
const BECAUSE_CHARACTERS = 200;
/** A reply that goes on for ever is read to here. */
const MOST_COLUMNS = 200;
const MOST_CODES = 200;

/** What one statement and one code take of a reply at most, by its form and the lengths that the prompt allows. */
const STATEMENT_TOKENS = 55;
const CODE_TOKENS = 20;
const FRAME_TOKENS = 30;

/** What a reply may take, roughly. */
export function describedTokens({ isTable, columns, codes }: TableToDescribe): number {
  const values = codes.reduce((sum, { values }) => sum + values.length, 0);
  return FRAME_TOKENS + STATEMENT_TOKENS * (columns.length + (isTable ? 1 : 0)) + CODE_TOKENS * values;
}

/** Asks about one table. Throws `model.*`. */
export async function describeTableByModel(
  model: LanguageModel,
  asked: TableToDescribe,
  { ledger, signal }: DescribeOptions,
): Promise<TableDescription> {
  const sampling = MODEL_REASONER_DEFAULTS.judging;
  const task = { role: 'describe table', messages: describeTablePrompt(asked), reply: REPLY, sampling };
  return readDescription(await askForJson(model, task, { ledger, signal }), asked);
}

const TEXT = z.string().nullish();
const SAID = z.object({ is: TEXT, sure: TEXT, because: TEXT });
const CODE = SAID.extend({ value: z.union([z.string(), z.number(), z.boolean()]) });
const COLUMN = SAID.extend({ name: z.string(), codes: z.array(CODE).nullish() });
const REPLY = z.object({ table: SAID.nullish(), columns: z.array(COLUMN).nullish() });

type Reply = z.infer<typeof REPLY>;

/** Of each thing the first statement counts; what is about anything else is counted and dropped. */
function readDescription({ table, columns }: Reply, asked: TableToDescribe): TableDescription {
  const names = new Map(asked.columns.map((name) => [keyOf(name), name]));
  const coded = new Map(asked.codes.map((one) => [keyOf(one.column), one]));
  const described = new Map<string, Statement>();
  const codes = new Map<string, TableDescription['codes'][number]>();
  let dropped = Math.max(0, (columns?.length ?? 0) - MOST_COLUMNS);
  for (const { name: written, codes: meanings, ...said } of (columns ?? []).slice(0, MOST_COLUMNS)) {
    const key = keyOf(lastName(written, asked.table));
    const name = names.get(key);
    const statement = statementOf(said, name);
    if (statement !== undefined && (name === undefined || described.has(name))) dropped += 1;
    else if (statement !== undefined && name !== undefined) described.set(name, statement);
    const of = coded.get(key);
    for (const { value, ...meaning } of (meanings ?? []).slice(0, MOST_CODES)) {
      const stored = of?.values.find((one) => one === String(value));
      const meant = statementOf(meaning, String(value));
      if (meant === undefined) continue;
      const place = JSON.stringify([key, stored]);
      if (of === undefined || stored === undefined || codes.has(place)) dropped += 1;
      else codes.set(place, { column: of.column, value: stored, statement: meant });
    }
  }
  return {
    table: asked.isTable ? statementOf(table ?? {}, asked.table) : undefined,
    columns: described,
    codes: [...codes.values()],
    dropped,
  };
}

const UNKNOWN = /^(?:unknown|not known|unclear|n\/?a|none|null|\?+)[.\s]*$/iu;

/** Undefined: it does not know, or says the name once more. */
function statementOf(
  { is, sure, because }: z.infer<typeof SAID> | { is?: undefined; sure?: undefined; because?: undefined },
  name = '',
): Statement | undefined {
  const text = cleaned(is ?? '', TEXT_CHARACTERS);
  if (text === '' || UNKNOWN.test(text) || letters(text) === letters(name)) return undefined;
  return { text, sure: surenessOf(sure), because: cleaned(because ?? '', BECAUSE_CHARACTERS) };
}

/** What says nothing of how sure it is counts as a guess. */
function surenessOf(said: string | null | undefined): Statement['sure'] {
  const word = said?.trim().toLowerCase();
  return word === 'high' || word === 'medium' ? word : 'low';
}

/** On one line, and without what could end a block of a prompt. */
function cleaned(text: string, most: number): string {
  return cellText(text.replace(/[<>]{3,}|[【】]/gu, ' '), most);
}

/** `orders.status`, `"status"` and `STATUS` are the column `status`. */
function lastName(written: string, table: string): string {
  const bare = table.slice(table.lastIndexOf('.') + 1);
  const prefix = [table, bare].find((name) => written.toLowerCase().startsWith(`${name.toLowerCase()}.`));
  return prefix === undefined ? written : written.slice(prefix.length + 1);
}

function keyOf(name: string): string {
  return name
    .trim()
    .replace(/^["'`[](.*)["'`\]]$/su, '$1')
    .toLowerCase();
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
