/** A turn of a conversation as a question that linking can work with: valid, in the database's language, on its own. */
import { CandorError } from '../../errors.ts';
import { fallbackKeywords } from '../../knowledge/retrieve/index.ts';
import { TokenLedger } from '../../model/index.ts';
import type {
  NormaliseQuestion,
  NormaliseReasoner,
  QuestionValidity,
  TranslatedQuestion,
} from '../../reasoning/roles/normalise-reasoner.ts';
import { type CheckedQuestion, checkQuestion, detectLanguage } from './check-question.ts';
import { chooseKeywords, quotedTexts } from './choose-keywords.ts';
import { standAlone } from './stand-alone.ts';

export interface NormaliseRequest {
  /** Stand-alone questions of the conversation, oldest first. */
  readonly history?: readonly string[];
  /** ISO 639-1. */
  readonly databaseLanguage?: string;
  /** What the database is about, for a model; shown as data. */
  readonly about?: readonly string[];
  /** Whether the names of the schema have a word, in some form. */
  readonly isKnownWord?: (word: string) => boolean;
  /** Absent: the built-in rules, which cannot translate. */
  readonly reasoner?: NormaliseReasoner;
  readonly ledger?: TokenLedger;
  readonly signal?: AbortSignal;
}

export interface NormalisedQuestion {
  /** Where it is not `ok`, the person is told why, and nothing is looked up. */
  readonly validity: QuestionValidity;
  /** Empty where it is `ok`. */
  readonly because: string;
  /** As asked, on one line. */
  readonly original: string;
  /** In the language of the database, on its own. */
  readonly question: string;
  /** ISO 639-1 of the original; `und` where nobody can tell. */
  readonly language: string;
  readonly isTranslated: boolean;
  /** An earlier question was put into it: an assumption to show. */
  readonly isRewritten: boolean;
  readonly keywords: readonly string[];
  /** Texts in quotes, which are meant as values. */
  readonly quoted: readonly string[];
  /** What did not work and was gone on without. */
  readonly warnings: readonly string[];
}

/** Earlier questions that are looked at. */
const MOST_HISTORY = 5;
/** Of a question, as everywhere in Candor; of an earlier one, and of one that a model wrote anew. */
const MAX_CHARACTERS = 2_000;

/**
 * Validates, translates, makes it stand alone and chooses keywords. A model call that fails is replaced by the built-in
 * rule, which a warning says; throws `question.too-long`, `linking.cancelled`. Source: ThothAI, sections 3 and 4;
 * overview, section 2 (S2).
 */
export async function normalise(text: string, request: NormaliseRequest = {}): Promise<NormalisedQuestion> {
  const asking = startAsking(tidy(text), request);
  throwIfCancelled(request.signal);
  const { original, databaseLanguage, warnings } = asking;
  const { language, ...checked } = await validate(asking);
  const stop = (validity: QuestionValidity, because: string): NormalisedQuestion => ({
    ...{ validity, because, original, question: original, language, warnings },
    ...{ isTranslated: false, isRewritten: false, keywords: [], quoted: [] },
  });
  if (checked.validity !== 'ok') return stop(checked.validity, checked.because);
  const isForeign = language !== 'und' && language !== databaseLanguage;
  const translated = isForeign ? await translate(asking, language) : undefined;
  if (translated?.isTranslated === false) return stop('translation-failed', translated.because);
  const said = translated?.text ?? original;
  const isUnread = isForeign && translated === undefined;
  const question = await makeStandAlone(said, asking, isUnread);
  const both = translated === undefined ? question : `${question}\n${original}`;
  const keywords = await findKeywords(question, asking);
  return {
    ...{ validity: 'ok', because: '', original, question, language },
    isTranslated: translated !== undefined,
    isRewritten: question !== said,
    // Stored values may be in either language.
    keywords: chooseKeywords(
      translated === undefined ? keywords : [...keywords, ...fallbackKeywords(original)],
      both,
      [databaseLanguage, language],
    ),
    quoted: quotedTexts(both),
    warnings,
  };
}

interface Asking extends Omit<NormaliseRequest, 'history'> {
  readonly original: string;
  readonly databaseLanguage: string;
  readonly history: readonly string[];
  readonly ledger: TokenLedger;
  /** Grows as calls fail. */
  readonly warnings: string[];
}

/** The same text that answering reads: composed accents, one blank where there were several or a control character. */
function tidy(text: string): string {
  const tidied = text
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (tidied.length <= MAX_CHARACTERS) return tidied;
  const [length, most] = [tidied.length, MAX_CHARACTERS].map((count) => count.toLocaleString('en'));
  throw new CandorError('question.too-long', `The question has ${length} characters; the limit is ${most}.`);
}

function startAsking(original: string, request: NormaliseRequest): Asking {
  const { history = [], databaseLanguage = 'en', ledger = new TokenLedger() } = request;
  const recent = history.slice(-MOST_HISTORY).map(tidy);
  return { ...request, original, databaseLanguage, ledger, history: recent, warnings: [] };
}

/** What rules can tell first; of a part of a conversation no model can say that it means nothing. */
async function validate(asking: Asking): Promise<CheckedQuestion & { readonly language: string }> {
  const { original, databaseLanguage, history, isKnownWord, reasoner } = asking;
  const detected = detectLanguage(original, databaseLanguage);
  const checked = checkQuestion(original, isKnownWord === undefined ? {} : { isKnownWord });
  if (checked.validity !== 'ok' || reasoner === undefined) return { ...checked, language: detected };
  const told = await orWarn('it was not validated', () => reasoner.validate(asked(original, asking)), asking);
  if (told === undefined) return { ...checked, language: detected };
  const language = /^[a-z]{2}$/.test(told.language) ? told.language : detected;
  if (told.validity === 'meaningless' && history.length > 0) return { ...checked, language };
  return { validity: told.validity, because: told.because, language };
}

/** Undefined: the question stays as it is, which a warning says. */
async function translate(asking: Asking, language: string): Promise<TranslatedQuestion | undefined> {
  const { original, databaseLanguage, reasoner, warnings } = asking;
  if (reasoner === undefined) {
    const languages = `it reads as “${language}”, the database as “${databaseLanguage}”`;
    warnings.push(`not translated: ${languages}, and only a language model can translate`);
    return undefined;
  }
  const told = await orWarn('not translated', () => reasoner.translate(asked(original, asking)), asking);
  if (told === undefined || !told.isTranslated) return told;
  const text = told.text.trim();
  if (text === '' || text.length > MAX_CHARACTERS)
    return { isTranslated: false, because: 'The translation is empty or too long.' };
  for (const literal of quotedTexts(original))
    if (!text.includes(literal))
      warnings.push(`“${literal}” is not in the translation: it is looked up as it was written`);
  return { isTranslated: true, text };
}

async function makeStandAlone(said: string, asking: Asking, isUnread: boolean): Promise<string> {
  const { history, reasoner, warnings } = asking;
  if (history.length === 0) return said;
  const told =
    reasoner &&
    (await orWarn(
      'rules made it stand alone',
      () => reasoner.standAlone(asked(said, asking), history),
      asking,
    ));
  const text = told?.trim() ?? '';
  if (text !== '' && text.length <= MAX_CHARACTERS) return text;
  if (told !== undefined)
    warnings.push('rules made it stand alone: the reply of the model is empty or too long');
  // The rules are those of English.
  if (isUnread || asking.databaseLanguage !== 'en') return said;
  const { question, pointing } = standAlone(said, history);
  if (pointing !== undefined)
    warnings.push(`“${pointing}” points to an earlier question: rules cannot tell to what`);
  return question;
}

async function findKeywords(question: string, asking: Asking): Promise<readonly string[]> {
  const { reasoner } = asking;
  const told =
    reasoner && (await orWarn('built-in keywords', () => reasoner.keywords(asked(question, asking)), asking));
  return told !== undefined && told.length > 0 ? told : fallbackKeywords(question);
}

function asked(text: string, { databaseLanguage, about = [], ledger, signal }: Asking): NormaliseQuestion {
  return { text, databaseLanguage, about, ledger, signal };
}

/** A failing model is gone on without; whoever cancels wants no answer, and a bug is no failing model. */
async function orWarn<Told>(
  instead: string,
  ask: () => Promise<Told>,
  { signal, warnings }: Asking,
): Promise<Told | undefined> {
  throwIfCancelled(signal);
  try {
    return await ask();
  } catch (error) {
    throwIfCancelled(signal, error);
    if (error instanceof CandorError && error.code === 'model.cancelled') throwCancelled(error);
    if (!(error instanceof CandorError) || error.stage !== 'model') throw error;
    warnings.push(`${instead}: ${error.message}`);
    return undefined;
  }
}

function throwIfCancelled(signal: AbortSignal | undefined, cause?: unknown): void {
  if (signal?.aborted) throwCancelled(cause);
}

function throwCancelled(cause: unknown): never {
  throw new CandorError('linking.cancelled', 'normalisation was cancelled', { cause });
}
