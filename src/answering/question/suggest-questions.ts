import { CandorError } from '../../errors.ts';
import type { Session } from '../../session/index.ts';
import { type ExplainedDecision, explainQuestion } from './explain-question.ts';

/** Questions to begin with. */
const MOST = 6;
const MOST_PAIRS = 3;
/** Tried at most; each is read once. */
const MOST_TRIED = 16;

const KEPT = new WeakMap<Session, readonly string[]>();

/**
 * Questions that this session answers without asking back: verified ones first, then figures of the semantic model by their
 * dimensions, then counts of the largest tables. The same for the same project.
 */
export function suggestQuestions(session: Session): readonly string[] {
  const known = KEPT.get(session);
  if (known !== undefined) return known;
  const found: string[] = [];
  for (const question of candidatesOf(session).slice(0, MOST_TRIED)) {
    if (found.length >= MOST) break;
    if (!found.includes(question) && whatFollows(question, session, session.clock()) === 'sql')
      found.push(question);
  }
  KEPT.set(session, found);
  return found;
}

function candidatesOf({ examples, semantics, catalog }: Session): readonly string[] {
  const pairs = examples.slice(0, MOST_PAIRS).map(({ question }) => question);
  const time = semantics.dimensions.find(({ isTime }) => isTime)?.name;
  const others = semantics.dimensions.filter(({ isTime }) => !isTime).map(({ name }) => name);
  const figures = semantics.metrics.flatMap(({ name }, at) => {
    const by = at % 2 === 0 ? time : others[(at >> 1) % Math.max(1, others.length)];
    return by === undefined ? [`show ${name}`] : [`show ${name} by ${by}`];
  });
  const largest = catalog.tables
    .filter(({ kind }) => kind === 'table')
    .toSorted((one, other) => (other.rowCount ?? 0) - (one.rowCount ?? 0) || one.id.localeCompare(other.id))
    .map(({ name }) => `how many ${name.replaceAll('_', ' ')} are there?`);
  return [...pairs, ...figures, ...largest];
}

/** What the built-in engine would make of a question; undefined for a text that is none. Nothing is run. */
export function whatFollows(
  question: string,
  session: Session,
  now: Date,
): ExplainedDecision['kind'] | undefined {
  try {
    return explainQuestion(question, session, { now }).decision.kind;
  } catch (error) {
    if (error instanceof CandorError && error.stage === 'question') return undefined;
    throw error;
  }
}
