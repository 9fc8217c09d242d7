/** What asks for nothing in the data, or for what no data tells: each kind has a reply of its own. */
import type { Option, RejectCause } from '../../answer.ts';
import type { Request } from '../../boundary/index.ts';
import { checkQuestion } from '../../linking/index.ts';
import type { Boundary } from '../../reasoning/index.ts';
import type { Session } from '../../session.ts';
import { isInOtherLanguage } from './is-in-other-language.ts';
import { pastOf } from './past-of.ts';
import type { TalkContext } from './talk-context.ts';

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
