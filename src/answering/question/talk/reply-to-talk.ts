/** What asks for nothing in the data, or for what no data tells: each kind has a reply of its own. */
import type { Option, RejectCause } from '../../../answer.ts';
import type { Request } from '../../../boundary/index.ts';
import { checkQuestion, detectLanguage } from '../../../linking/index.ts';
import { type GroundedKnowledge, hypothesise } from '../../../reasoning/grounded/index.ts';
import type { Boundary, Reading } from '../../../reasoning/roles/reading.ts';
import type { Session } from '../../../session/index.ts';

const GREETING = `(?:(?:hello|hi|hiya|hey|good (?:morning|afternoon|evening|day))(?: there| all| everyone| candor)?[,.! ]*)?`;
const HELP = new RegExp(
  String.raw`^${GREETING}(?:(?:please )?help(?: me)?(?: please)?|what (?:can|could|do) (?:you|i|we) (?:do|ask|answer|know|tell me)(?: here| for me| about)?|what (?:kinds?|sorts?|types?) of (?:data|questions?|information|things) (?:do (?:you|we) (?:have|answer|know)|can (?:you|i|we) (?:answer|ask)|(?:is|are) (?:there|here))(?: here)?|what (?:data|information) (?:do (?:you|we) have|is (?:there|here))(?: here)?|how (?:do you|does this|does it) work|how (?:do|can) i (?:use (?:this|you)|ask(?: a question)?)|who are you|what are you|how are you(?: today)?)[\s?!.]*$`,
  'i',
);
const WHY =
  /^(?:and |but |so |ok |please )*(?:(?:explain |tell me )?why\b|how come\b|for what reason\b|what (?:caused|explains|is causing|led to|drove)\b|what (?:is|was|are|were) the (?:reasons?|causes?) (?:why|that|for)\b)/i;
const FORECAST =
  /^(?:please |can you |could you )*(?:predict|forecast|extrapolate)\b|\bwhat (?:will|would) .{1,60} be\b|\bhow (?:much|many) .{1,60}\b(?:will|shall) (?:we|i|our)\b|\b(?:prediction|forecast) (?:for|of) (?:the )?(?:next|coming|future)\b/i;
const OPINION =
  /\b(?:what|how) do you (?:think|feel)\b|^do you (?:think|believe|like|agree|recommend)\b|^should (?:i|we)\b|\b(?:in )?your opinion\b|^what (?:should|would you) (?:i|we|do|recommend|suggest)\b|^(?:can|could) you (?:recommend|suggest|advise)\b/i;

/** Null where it is a question for the data, as far as its words tell. */
export function replyToTalk({ original, text }: Request, context: TalkContext): Boundary | null {
  const { session } = context;
  const isKnown = (word: string): boolean => namesThing(word, session);
  if (HELP.test(original) && !(/^\W*help\W*$/i.test(original) && isKnown('help')))
    return helped(original, context);
  const { validity, because } = checkQuestion(original, { isKnownWord: isKnown });
  if (validity === 'meaningless') return helped(original, context);
  if (validity !== 'ok')
    return refused(original, validity === 'gibberish' ? 'not-understood' : 'no-question', because);
  if (isInOtherLanguage(original, session.knowledge))
    return refused(
      original,
      'other-language',
      'The built-in engine reads English; with a model other languages work.',
    );
  if (WHY.test(text) && !(/\breasons?\b/i.test(text) && isKnown('reason')))
    return asked(
      text,
      'why',
      pastOf(text, context),
      'I can tell what happened, not why. These show where it did.',
    );
  const isNamed = ['forecast', 'prediction'].some(
    (word) => text.toLowerCase().includes(word) && isKnown(word),
  );
  if (FORECAST.test(text) && !isNamed) {
    const past = pastOf(text, context);
    const end = past.end === undefined ? '' : ` The data ends on ${past.end}.`;
    return asked(text, 'forecast', past, `I make no forecasts.${end} This is what happened so far.`);
  }
  if (OPINION.test(text))
    return refused(
      original,
      'opinion',
      'I tell what the data says, and have no opinions. Ask for figures or rows.',
    );
  return null;
}

const MOST_EXAMPLES = 3;
const MOST_TABLES = 6;

/** What can be asked here, with questions that have an answer. */
function helped(original: string, { session, suggest }: TalkContext): Boundary {
  const { semantics, catalog } = session;
  const figures = semantics.metrics.map(({ name }) => name);
  const tables = catalog.tables.filter(({ kind }) => kind === 'table').map(({ name }) => name);
  const holds =
    figures.length > 0 ? `It has the figures ${few(figures)}` : `It has the tables ${few(tables)}`;
  return {
    kind: 'clarify',
    gap: 'intent',
    phrase: original,
    ask: `I answer questions about this database with a query and how sure I am of it, and say when I cannot. ${holds}. What do you want to know?`,
    options: suggest().slice(0, MOST_EXAMPLES).map(toOption),
  };
}

function asked(
  phrase: string,
  cause: RejectCause,
  { questions }: ReturnType<typeof pastOf>,
  ask: string,
): Boundary {
  if (questions.length === 0) return refused(phrase, cause, ask.split(/ (?:These|This) /)[0] ?? ask);
  return { kind: 'clarify', gap: 'intent', cause, phrase, ask, options: questions.map(toOption) };
}

function refused(missing: string, cause: RejectCause, message: string): Boundary {
  return { kind: 'reject', reason: 'scope', cause, missing, message, nearest: [] };
}

function toOption(question: string): Option {
  return { label: question, question };
}

function few(names: readonly string[]): string {
  const more = names.length - MOST_TABLES;
  return `${names.slice(0, MOST_TABLES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function namesThing(word: string, { knowledge }: Session): boolean {
  return knowledge.names.match([word.toLowerCase()]).some(({ score }) => score >= 0.85);
}

/** Where a third of the words are names here, the engine reads what it can, whatever the language of the rest. */
const MOST_KNOWN = 1 / 3;
const NAMED = 0.85;
/** Words in capitals behind the first: “São Paulo” is a name in any language. */
const NAMES = /(?<=[\p{L}\p{N}]\s+)\p{Lu}[\p{L}\p{M}]*/gu;

/** Whether a question is written in a language that the built-in engine does not read; in doubt it is English. */
export function isInOtherLanguage(question: string, { names }: Pick<GroundedKnowledge, 'names'>): boolean {
  const language = detectLanguage(question.replace(NAMES, ' '), 'en');
  if (language === 'en' || language === 'und') return false;
  const words = question.toLowerCase().match(/[\p{L}\p{M}]{3,}/gu) ?? [];
  const known = words.filter((word) => names.match([word]).some(({ score }) => score >= NAMED));
  return known.length === 0 || known.length < words.length * MOST_KNOWN;
}

/** What can be told in place of a cause or a forecast. */
interface Past {
  readonly questions: readonly string[];
  /** The last day in the tables that they read, as YYYY-MM-DD. */
  readonly end: string | undefined;
}

const MOST = 3;
const MOST_DIMENSIONS = 8;
const ASKING =
  /^(?:and |but |so |ok |please |can you |could you |explain |tell me )*(?:why|how come|for what reason|what (?:caused|explains|is causing|led to|drove)|what (?:is|was|are|were) the (?:reasons?|causes?) (?:why|that|for)|predict|forecast|extrapolate|what (?:will|would)|how (?:much|many))\b\s*/i;
const HELPERS =
  /\b(?:did|does|do|is|are|was|were|has|have|had|will|would|shall|be|we|our|so|such|the|a|an|there)\b/gi;
const TRENDS =
  /\b(?:drop(?:ped|ping)?|fall(?:ing|en)?|fell|decline[ds]?|declining|decrease[ds]?|decreasing|shrink(?:ing)?|shrank|rise|rose|rising|risen|increase[ds]?|increasing|grow(?:ing|n|th)?|grew|jump(?:ed)?|spike[ds]?|go(?:ne|ing)?|went|up|down|higher|lower|worse|better|high|low|more|fewer|less|much|many|sell|get|reach|happen(?:ed)?|change[ds]?)\b/gi;
const WHEN =
  /\b(?:in|for|during|by|until|over|from|since)?\s*(?:(?:the )?(?:next|last|this|coming|following|future) (?:\w+ )?(?:years?|quarters?|months?|weeks?|days?)|tomorrow|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|(?:19|20)\d\d|q[1-4])\b/gi;

/** Questions about what a question is about that have an answer here: as it is, by month, and by what splits it. */
function pastOf(question: string, context: TalkContext): Past {
  const about = plain(question.replace(ASKING, '').replace(HELPERS, ' ').replace(TRENDS, ' '));
  const subject = plain(about.replace(WHEN, ' '));
  if (subject === '') return { questions: [], end: undefined };
  const dimensions = context.session.semantics.dimensions.filter(({ isTime }) => !isTime);
  const subjects = [subject, `number of ${subject}`, `total ${subject}`];
  const candidates = subjects.flatMap((one) => [
    `${one} by month`,
    ...dimensions.slice(0, MOST_DIMENSIONS).map(({ name }) => `${one} by ${name}`),
    `${one} by year`,
    one,
  ]);
  const found: { question: string; reading: Reading }[] = [];
  for (const candidate of candidates) {
    if (found.length >= MOST) break;
    const reading = readingOf(candidate, context);
    if (reading !== undefined && !found.some((one) => one.reading.sql === reading.sql))
      found.push({ question: candidate, reading });
  }
  return { questions: found.map((one) => one.question), end: endOf(found[0]?.reading, context) };
}

function plain(text: string): string {
  return text
    .replace(/[?!.,]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The largest date, up to now, in the tables that a reading takes its rows from. */
function endOf(reading: Reading | undefined, { session, now }: TalkContext): string | undefined {
  if (reading === undefined || reading.query.kind !== 'select') return undefined;
  const read = new Set(
    [reading.query.from, ...reading.query.joins.map(({ table }) => table)].map(({ table }) =>
      table.toLowerCase(),
    ),
  );
  const today = now.toISOString().slice(0, 10);
  const ends = session.catalog.tables
    .filter(({ id, name }) => read.has(id) || read.has(name.toLowerCase()))
    .flatMap(({ columns }) => columns.flatMap(({ profile }) => profile?.max?.slice(0, 10) ?? []))
    .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day) && day <= today);
  return ends.toSorted().at(-1);
}

/** The reading that a question would be answered by; undefined where it would not be answered. */
function readingOf(
  question: string,
  { session, now }: Pick<TalkContext, 'session' | 'now'>,
): Reading | undefined {
  const { boundary, readings, unexplained } = hypothesise(question, session.knowledge, now);
  const [best] = readings;
  const isSure = best !== undefined && best.probability >= session.config.minProbability;
  return boundary === undefined && unexplained.length === 0 && isSure ? best : undefined;
}

interface TalkContext {
  readonly session: Session;
  readonly now: Date;
  /** Questions that this session answers, to begin with. */
  readonly suggest: () => readonly string[];
}
