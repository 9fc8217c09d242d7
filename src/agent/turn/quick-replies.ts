/** What a person may say next, ready to send. */
import type { Abstain, Answer, Answered, Reject, RejectCause } from '../../answer.ts';
import { suggestQuestions, whatFollows } from '../../answering/index.ts';
import { replaceWords } from '../../boundary/index.ts';
import { figureOf } from '../../results/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { parse } from '../../sql/index.ts';
import type { TableCard } from './turn.ts';
import type { TurnContext } from './turn-context.ts';

const MOST = 5;
const SHOWN_ROWS = 10;
/** Longer ones are no button. */
const MOST_CHARACTERS = 120;

export function repliesTo(
  answer: Answer,
  turnContext: Pick<TurnContext, 'session' | 'now'>,
): readonly string[] {
  return few(repliesOf(answer, turnContext));
}

function repliesOf(answer: Answer, turnContext: Pick<TurnContext, 'session' | 'now'>): readonly string[] {
  switch (answer.kind) {
    case 'answered':
      return [...otherwise(answer), ...furtherSteps(answer, turnContext.session.catalog.dialect)];
    case 'clarify':
    case 'follow_up':
      return answer.options.map(({ label }) => label);
    case 'reject':
      return [...leadOn(answer, turnContext), ...whereToLook(answer)];
    case 'abstain':
      return [
        ...leadOn(answer, turnContext),
        'Change tables',
        `Which tables are about “${answer.question}”?`,
      ];
  }
}

/** What is near is looked for among the tables, where it is no figure, which can be asked for, and no question by itself. */
function whereToLook({ reason, cause, nearest }: Reject): readonly string[] {
  const isAsked = reason === 'unsafe' || reason === 'metric' || cause === 'no-date';
  return isAsked ? [] : nearest.map((name) => `Which tables hold ${name}?`);
}

/** Questions that say themselves what was taken for granted otherwise. */
function otherwise({ assumptions }: Answered): readonly string[] {
  return assumptions.flatMap(({ alternatives = [] }) =>
    alternatives.slice(0, 1).flatMap(({ question }) => (question === undefined ? [] : [question])),
  );
}

function furtherSteps({ sql, rows, columns, chart }: Answered, dialect: DialectName): readonly string[] {
  const parsed = parse(sql, dialect);
  const hasLimit =
    parsed.ok && parsed.tree.nodes.some(({ type, role }) => type === 'Fetch' || role === 'limit');
  const isDrawable = rows.length > 1 && columns.length === 2 && chart === undefined;
  const isJoin = parsed.ok && parsed.tree.nodes.filter(({ type }) => type === 'Table').length > 1;
  return [
    'Explain this query',
    ...(rows.length > SHOWN_ROWS && !hasLimit ? ['Top 10 only'] : []),
    ...(isDrawable && rows.some((row) => figureOf(row[1] ?? null) !== undefined) ? ['As a chart'] : []),
    ...(isJoin ? ['Explain these tables'] : []),
    'Change tables',
  ];
}

export function repliesToTables(cards: readonly TableCard[]): readonly string[] {
  const [first] = cards;
  if (first === undefined) return [];
  return few([`Describe table ${first.name}`, `How many ${first.name} are there?`]);
}

export function repliesToChoice(cards: readonly TableCard[]): readonly string[] {
  const ticked = cards.filter(({ isTicked }) => isTicked).map(({ name }) => name);
  return few([...(ticked.length > 0 ? ['OK'] : []), ...(cards.length > ticked.length ? ['All tables'] : [])]);
}

function few(replies: readonly string[]): readonly string[] {
  return [...new Set(replies)].filter((text) => text.length <= MOST_CHARACTERS).slice(0, MOST);
}

const MOST_LEADS = 3;
/** They ask for nothing in the data: any question that has an answer leads on. */
const OPEN: ReadonlySet<RejectCause> = new Set(['no-question', 'opinion', 'other-language']);

/**
 * Questions that may be asked in place of one that got no answer: the same about something that is here, a figure that is near, or
 * what can be asked in general. Each is read first, so that none ends the same way, and none is the question itself.
 */
export function leadOn(
  answer: Reject | Abstain,
  { session, now }: Pick<TurnContext, 'session' | 'now'>,
): readonly string[] {
  if (answer.kind === 'reject' && OPEN.has(answer.cause))
    return suggestQuestions(session).slice(0, MOST_LEADS);
  const asked = new Set([answer.question, answer.readAs ?? ''].map(plain));
  const isNew = (question: string): boolean => {
    const isSame = asked.has(plain(question));
    asked.add(plain(question));
    return !isSame;
  };
  return wordingsOf(answer)
    .filter(isNew)
    .filter((question) => LEADING.has(whatFollows(question, session, now) ?? ''))
    .slice(0, MOST_LEADS);
}

const LEADING: ReadonlySet<string> = new Set(['sql', 'clarify', 'follow_up']);

function wordingsOf(answer: Reject | Abstain): readonly string[] {
  const { nearest = [], missing, question, readAs = question } = answer;
  const swapped = missing ? nearest.flatMap((name) => replaceWords(readAs, missing, name) ?? []) : [];
  const isFigure = answer.kind === 'reject' && (answer.reason === 'metric' || answer.cause === 'no-date');
  return isFigure ? [...swapped, ...nearest] : swapped;
}

/** Signs and case aside it is the same question. */
function plain(question: string): string {
  return question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
