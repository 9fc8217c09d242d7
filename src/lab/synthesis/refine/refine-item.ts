import type { Config } from '../../../config/index.ts';
import type { Database } from '../../../database/index.ts';
import { drawsFor } from '../../../generation/index.ts';
import type { TokenLedger } from '../../../model/index.ts';
import {
  type BenchReasoner,
  isUnusableReply,
  type WriteQuestion,
  type WriteReasoner,
} from '../../../reasoning/index.ts';
import { type QuerySetting, runQuery } from '../../evaluation/run-query.ts';
import type { BenchItem } from '../bench-item.ts';
import { editContext } from '../context/edit-context.ts';
import { editDatabase } from '../context/edit-database.ts';
import { promptKnowledge } from '../export/prompt-knowledge.ts';
import { goldTest } from '../gold-test.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { wordingBounds } from './wording-bounds.ts';

/** What a model's work on items needs. */
export interface Refining {
  readonly inventory: Inventory;
  readonly config: Config;
  /** Through the guard. */
  readonly database: Database;
  /** The same database without it, for the tables of an edited context. */
  readonly engine: Database;
  /** The model under the budget of one item. */
  readonly openMind: () => { readonly bench: BenchReasoner; readonly writer: WriteReasoner };
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
  const desk = openDesk(item, refining);
  if (item.due.kind === 'reject') {
    const refuted = await refute(item, desk);
    if (refuted !== undefined) return { kind: 'dropped', id: item.id, ...refuted };
  }
  const question = await reword(item, desk);
  if (question === undefined) return { kind: 'kept', item, because: 'no-usable-words' };
  const reworded = { ...item, question, templateQuestion: item.templateQuestion ?? item.question };
  if (item.due.kind === 'answered' && !(await samplesAgree(reworded, desk)))
    return { kind: 'kept', item, because: 'samples-disagree' };
  return { kind: 'reworded', item: reworded };
}

interface Desk extends Refining {
  readonly mind: ReturnType<Refining['openMind']>;
  /** On the database as the item's context shows it. */
  readonly setting: QuerySetting;
}

function openDesk({ edits }: BenchItem, refining: Refining): Desk {
  const { inventory, engine, config, signal } = refining;
  const database =
    edits.length === 0 ? refining.database : editDatabase(engine, editContext(inventory, edits), { config });
  return { ...refining, mind: refining.openMind(), setting: { database, limits: LIMITS, signal } };
}

function writeQuestionOf(item: BenchItem, { inventory, ledger, signal }: Desk): WriteQuestion {
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

async function refute(item: BenchItem, desk: Desk): Promise<{ sql: string; because: string } | undefined> {
  const { bench, writer } = desk.mind;
  const question = writeQuestionOf(item, desk);
  const [draw] = drawsFor(1);
  const written = draw && (await usable(writer.write(question, draw)));
  if (written === undefined || !('sql' in written)) return undefined;
  const ran = await runQuery(written.sql, desk.setting);
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
  { inventory, mind, ledger, signal }: Desk,
): Promise<string | undefined> {
  const bounds = wordingBounds(item, inventory.semantics);
  return usable(mind.bench.reword({ text: item.question, ...bounds, ledger, signal }));
}

async function samplesAgree(item: BenchItem, desk: Desk): Promise<boolean> {
  const hasGoldRows = goldTest(item, desk.setting);
  const question = writeQuestionOf(item, desk);
  for (const draw of desk.samples === 0 ? [] : drawsFor(desk.samples)) {
    const written = await usable(desk.mind.writer.write(question, draw));
    if (written === undefined || !('sql' in written)) return false;
    const ran = await runQuery(written.sql, desk.setting);
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
