import type {
  BrokenQuery,
  ResearchView,
  WriteQuestion,
  WriteReasoner,
} from '../../reasoning/roles/write-reasoner.ts';
import { type ResearchTools, runResearchCall, type ToolOutcome } from './research-tools.ts';

/** What research found for a query with wrong names. */
export interface Researched {
  /** Ids of tables to show the fixer besides those it knows. */
  readonly tables: readonly string[];
  /** Which data to use instead; empty where nothing was found out. */
  readonly advice: string;
  readonly calls: number;
}

/** LinkedIn, section 5.4. */
const MOST_CALLS = 8;
const MOST_REFLECTIONS = 3;

/**
 * A fast model calls tools until it has seen enough; then the reflecting one says whether that suffices and what to use,
 * at most three times. Ends after eight calls of tools. Source: LinkedIn, section 5.4.
 */
export async function research(
  question: WriteQuestion,
  broken: BrokenQuery,
  writer: Pick<WriteReasoner, 'research' | 'reflect'>,
  researchTools: ResearchTools,
): Promise<Researched> {
  const turns: (readonly ToolOutcome[])[] = [];
  const calls = (): number => turns.reduce((sum, turn) => sum + turn.length, 0);
  const view = (advice: string): ResearchView => ({
    turn: turns.length + 1,
    callsLeft: MOST_CALLS - calls(),
    broken: advice === '' ? broken : { ...broken, advice },
    turns,
  });
  let advice = '';
  for (let reflections = 0; reflections < MOST_REFLECTIONS; reflections++) {
    await lookUp(() => writer.research(question, view(advice)), turns, researchTools, MOST_CALLS - calls());
    const reflection = await writer.reflect(question, view(advice));
    advice = reflection.advice;
    if (reflection.isEnough || calls() >= MOST_CALLS) break;
  }
  const tables = [...new Set(turns.flat().flatMap((outcome) => outcome.tables))];
  return { tables, advice, calls: calls() };
}

/** Turns until the model calls nothing or may call no more; what it calls beyond that is not run. */
async function lookUp(
  next: () => ReturnType<WriteReasoner['research']>,
  turns: (readonly ToolOutcome[])[],
  researchTools: ResearchTools,
  most: number,
): Promise<void> {
  for (let left = most; left > 0; ) {
    const asked = (await next()).slice(0, left);
    if (asked.length === 0) return;
    turns.push(await Promise.all(asked.map((call) => runResearchCall(call, researchTools))));
    left -= asked.length;
  }
}
