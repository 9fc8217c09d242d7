import type { Config } from '../../../config/index.ts';
import type { Database } from '../../../database/index.ts';
import { drawsFor } from '../../../generation/index.ts';
import type { SemanticModel } from '../../../knowledge/semantic/index.ts';
import type { TokenLedger } from '../../../model/index.ts';
import { literalsOf } from '../../../reasoning/llm/index.ts';
import type { BenchReasoner } from '../../../reasoning/roles/bench-reasoner.ts';
import { isUnusableReply } from '../../../reasoning/roles/index.ts';
import type { WriteQuestion, WriteReasoner } from '../../../reasoning/roles/write-reasoner.ts';
import { type QuerySetting, runQuery } from '../../evaluation/comparators/run-query.ts';
import { editContext } from '../context/edit-context.ts';
import { editDatabase } from '../context/edit-session.ts';
import { promptKnowledge } from '../export/prompt-knowledge.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { BenchItem } from '../items/bench-item.ts';
import { goldTest } from '../items/bench-item.ts';

/** What a model's work on items needs. */
export interface Refining {
  readonly inventory: Inventory;
  readonly config: Config;
  /** Through the guard. */
  readonly database: Database;
  /** The same database without it, for the tables of an edited context. */
  readonly engine: Database;
  /** The model under the budget of one item. */
  readonly openRoles: () => { readonly bench: BenchReasoner; readonly writer: WriteReasoner };
  readonly ledger: TokenLedger;
  /** Queries that must all give the rows of the gold; 0: the words are not tried. */
  readonly samples: number;
  readonly signal: AbortSignal;
}

/** Why an item keeps the words of the lists. */
export type KeptBecause = 'no-usable-words' | 'samples-disagree';

export type Refined =
  | { readonly kind: 'reworded'; readonly item: BenchItem }
  | { readonly kind: 'kept'; readonly item: BenchItem; readonly because: KeptBecause }
  /** It was held to have no answer, and two verdicts say that this query answers it. */
  | { readonly kind: 'dropped'; readonly id: string; readonly sql: string; readonly because: string };

const LIMITS = { rows: 2_000, bytes: 1_000_000, timeoutMs: 10_000 };
const VERDICTS = 2;

/**
 * One item, bettered by a model: a refusal stands only where no query refutes it, and new words are taken only where
 * queries written from them give the rows of the gold. Throws `bench.other-project` and what the model throws, but for
 * replies that cannot be used. Sources: BAR-SQL §4 and §5.
 */
export async function refineItem(item: BenchItem, refining: Refining): Promise<Refined> {
  const tools = openTools(item, refining);
  if (item.due.kind === 'reject') {
    const refuted = await refute(item, tools);
    if (refuted !== undefined) return { kind: 'dropped', id: item.id, ...refuted };
  }
  const question = await reword(item, tools);
  if (question === undefined) return { kind: 'kept', item, because: 'no-usable-words' };
  const reworded = { ...item, question, templateQuestion: item.templateQuestion ?? item.question };
  if (item.due.kind === 'answered' && !(await samplesAgree(reworded, tools)))
    return { kind: 'kept', item, because: 'samples-disagree' };
  return { kind: 'reworded', item: reworded };
}

interface RefineTools extends Refining {
  readonly modelRoles: ReturnType<Refining['openRoles']>;
  /** On the database as the item's context shows it. */
  readonly setting: QuerySetting;
}

function openTools({ edits }: BenchItem, refining: Refining): RefineTools {
  const { inventory, engine, config, signal } = refining;
  const database =
    edits.length === 0 ? refining.database : editDatabase(engine, editContext(inventory, edits), { config });
  return { ...refining, modelRoles: refining.openRoles(), setting: { database, limits: LIMITS, signal } };
}

function writeQuestionOf(item: BenchItem, { inventory, ledger, signal }: RefineTools): WriteQuestion {
  const { schema, about } = promptKnowledge(item, inventory);
  return {
    text: item.question,
    knowledge: about.map(({ title, text }) => `${title}\n${text}`),
    examples: [],
    schema,
    dialect: inventory.catalog.dialect,
    today: item.now,
    ...{ ledger, signal },
  };
}

async function refute(
  item: BenchItem,
  tools: RefineTools,
): Promise<{ sql: string; because: string } | undefined> {
  const { bench, writer } = tools.modelRoles;
  const question = writeQuestionOf(item, tools);
  const [draw] = drawsFor(1);
  const written = draw && (await usable(writer.write(question, draw)));
  if (written === undefined || !('sql' in written)) return undefined;
  const ran = await runQuery(written.sql, tools.setting);
  if (!ran.ok) return undefined;
  let because = '';
  for (let place = 0; place < VERDICTS; place++) {
    const verdict = await usable(bench.accept(question, written.sql, place));
    if (verdict?.isAccepted !== true) return undefined;
    because ||= verdict.because;
  }
  return { sql: written.sql, because };
}

async function reword(
  item: BenchItem,
  { inventory, modelRoles, ledger, signal }: RefineTools,
): Promise<string | undefined> {
  const bounds = wordingBounds(item, inventory.semantics);
  return usable(modelRoles.bench.reword({ text: item.question, ...bounds, ledger, signal }));
}

async function samplesAgree(item: BenchItem, tools: RefineTools): Promise<boolean> {
  const hasGoldRows = goldTest(item, tools.setting);
  const question = writeQuestionOf(item, tools);
  for (const draw of tools.samples === 0 ? [] : drawsFor(tools.samples)) {
    const written = await usable(tools.modelRoles.writer.write(question, draw));
    if (written === undefined || !('sql' in written)) return false;
    const ran = await runQuery(written.sql, tools.setting);
    if (!(await hasGoldRows(ran.ok ? ran.result : undefined))) return false;
  }
  return true;
}

/** A model that was asked twice and gave nothing usable has not done it; all else is a failure. */
async function usable<Reply>(reply: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (isUnusableReply(error)) return undefined;
    throw error;
  }
}

/** What new words for a question must and must not say. */
interface WordingBounds {
  /** Texts of the question that stay. */
  readonly kept: readonly string[];
  /** Texts that must not come in. */
  readonly avoided: readonly string[];
  /** What is wrong with new words, without quoting any data; undefined: nothing. */
  readonly fault: (words: string) => string | undefined;
}

/**
 * What names something here stays letter by letter: numbers and quoted texts, stored values, the words of metrics and
 * dimensions, and what is vague or missing. The dimension that a follow-up must ask for stays out. BAR-SQL §5.
 */
function wordingBounds(
  item: Pick<BenchItem, 'question' | 'due' | 'entities'>,
  semantics: SemanticModel,
): WordingBounds {
  const { question, due } = item;
  const kept = withoutParts(wanted(item, semantics).filter((text) => standsIn(text, question)));
  const dimension = due.kind === 'follow_up' ? namesOf(due.dimension, semantics) : [];
  const avoided = dimension.filter((text) => !standsIn(text, question));
  const numbers = new Set(numbersOf(question));
  return {
    ...{ kept, avoided },
    fault: (words) => {
      const lost = kept.findIndex((text) => !standsIn(text, words));
      if (lost >= 0) return `text ${lost + 1} of the texts that stay is not in it as it is`;
      if (avoided.some((text) => standsIn(text, words))) return 'it says one of the texts not to say';
      if (numbersOf(words).some((number) => !numbers.has(number)))
        return 'it has a number that the question does not have';
      return evened(words) === evened(question) ? 'it is the same question' : undefined;
    },
  };
}

function wanted(
  { question, due, entities }: Pick<BenchItem, 'question' | 'due' | 'entities'>,
  semantics: SemanticModel,
): readonly string[] {
  const { metrics, dimensions, valueMappings } = semantics;
  const values = entities.map((entity) => entity.slice(entity.indexOf('=') + 1));
  return [
    ...literalsOf(question),
    ...values,
    ...valueMappings.flatMap(({ surface }) => surface),
    ...[...metrics, ...dimensions].flatMap(({ name, synonyms }) => [name, ...synonyms]),
    ...(due.kind === 'clarify' ? [due.phrase] : []),
    ...(due.kind === 'reject' ? [due.missing] : []),
  ];
}

function namesOf(dimension: string, { dimensions }: SemanticModel): readonly string[] {
  const { synonyms = [] } = dimensions.find(({ name }) => name === dimension) ?? {};
  return [dimension, ...synonyms];
}

/** A text that is part of a longer one stays with it. */
function withoutParts(texts: readonly string[]): readonly string[] {
  const once = [...new Map(texts.map((text) => [text.toLowerCase(), text])).values()];
  return once.filter((text) => !once.some((other) => other !== text && standsIn(text, other)));
}

/** As whole words, whatever its case; blanks and underscores are one. */
function standsIn(text: string, sentence: string): boolean {
  return text.trim() !== '' && ` ${evened(sentence)} `.includes(` ${evened(text)} `);
}

function evened(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

function numbersOf(text: string): readonly string[] {
  return text.match(/\p{N}+/gu) ?? [];
}
