/** A language model that reads a question before anything is looked up (ThothAI, section 4). */
import { z } from 'zod';
import type { LanguageModel } from '../../model/index.ts';
import type { NormaliseReasoner } from '../roles/normalise-reasoner.ts';
import { askForJson, MODEL_REASONER_DEFAULTS, type ModelReasonerSettings } from './ask-for-json.ts';
import { withoutLiterals } from './assist-by-model.ts';
import { cutText } from './prompts/blocks/data-block.ts';
import {
  keywordsPrompt,
  standAlonePrompt,
  translatePrompt,
  validatePrompt,
} from './prompts/normalise-prompts.ts';

/** As long as a question may be. */
const QUESTION_CHARACTERS = 2_000;
const KEYWORD_CHARACTERS = 200;
const MOST_KEYWORDS = 400;
const BECAUSE_CHARACTERS = 300;

/** `model` behind the contract of normalisation. A translation keeps numbers and quoted texts; keywords do, too. */
export function normaliseByModel(
  model: LanguageModel,
  settings: Partial<ModelReasonerSettings> = {},
): NormaliseReasoner {
  const { judging, keywords: forKeywords } = { ...MODEL_REASONER_DEFAULTS, ...settings };
  return {
    kind: 'model',
    validate: async (question) => {
      const messages = validatePrompt(question);
      const task = { role: 'validate', messages, reply: VALIDATED, sampling: judging };
      const { validity, because, language } = await askForJson(model, task, question);
      return { validity, because: shortReason(because), language: languageCode(language ?? '') };
    },
    translate: async (question) => {
      const messages = translatePrompt(question);
      const task = {
        role: 'translate',
        messages,
        reply: TRANSLATED,
        sampling: judging,
        check: ({ isTranslated, text }: z.infer<typeof TRANSLATED>) =>
          isTranslated ? (wrongWith(text) ?? lostIn(text, question.text)) : undefined,
      };
      const { isTranslated, text, because } = await askForJson(model, task, question);
      if (isTranslated) return { isTranslated, text: text.trim() };
      return { isTranslated, because: shortReason(because) || 'the model gave no translation' };
    },
    keywords: async (question) => {
      const messages = keywordsPrompt(question);
      const task = { role: 'keywords', messages, reply: KEYWORDS, sampling: forKeywords };
      const { keywords } = await askForJson(model, task, question);
      const literals = literalsOf(question.text);
      const lost = literals.filter((literal) => !keywords.some((keyword) => keyword.includes(literal)));
      return [...lost, ...keywords].map((keyword) => cutText(keyword, KEYWORD_CHARACTERS));
    },
    standAlone: async (question, history, lastQuery) => {
      if (history.length === 0 && lastQuery === undefined) return question.text;
      // What was typed into a query is data of the database as much as of the person.
      const shown = model.isPrivate && lastQuery ? withoutLiterals(lastQuery) : lastQuery;
      const messages = standAlonePrompt(question, history, shown);
      const task = {
        role: 'stand alone',
        messages,
        reply: STAND_ALONE,
        sampling: judging,
        check: (reply: z.infer<typeof STAND_ALONE>) => wrongWith(reply.question),
      };
      return (await askForJson(model, task, question)).question.trim();
    },
  };
}

const VALIDATED = z.object({
  validity: z.enum(['ok', 'meaningless', 'gibberish', 'out-of-scope']),
  because: z.string().nullish(),
  language: z.string().nullish(),
});
const TRANSLATED = z.object({ isTranslated: z.boolean(), text: z.string(), because: z.string().nullish() });
const KEYWORDS = z.object({ keywords: z.array(z.string()).max(MOST_KEYWORDS) });
const STAND_ALONE = z.object({ question: z.string() });

/** A question in other words has to be one, and no longer than questions may be. */
function wrongWith(text: string): string | undefined {
  if (text.trim() === '') return 'the question is empty';
  return text.length > QUESTION_CHARACTERS
    ? `the question is longer than ${QUESTION_CHARACTERS} characters`
    : undefined;
}

function lostIn(text: string, question: string): string | undefined {
  const lost = lostLiteral(question, text);
  return lost === undefined
    ? undefined
    : `${JSON.stringify(lost)} of the question is not in it letter by letter`;
}

function shortReason(because: string | null | undefined): string {
  return cutText((because ?? '').trim(), BECAUSE_CHARACTERS);
}

/** `en` of `EN`, `en-GB` and `en_US`; `und` of anything else. */
function languageCode(text: string): string {
  return /^[a-z]{2,3}(?=$|[-_])/.exec(text.trim().toLowerCase())?.[0] ?? 'und';
}

const QUOTED =
  /"([^"\n]{1,200})"|“([^”\n]{1,200})”|«\s?([^»\n]{1,200}?)\s?»|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu;
/** Words with a digit in them: `2024`, `K-12`, `1.5`, `SKU-00317`. */
const WITH_DIGIT = /[\p{L}\p{N}](?:[\p{L}\p{N}._/-]*[\p{L}\p{N}])?/gu;
const MOST = 40;

/** What people wrote letter by letter: quoted texts, and words with digits. */
export function literalsOf(question: string): readonly string[] {
  const quoted = [...question.matchAll(QUOTED)].map(([, ...groups]) => groups.find(Boolean) ?? '');
  const outside = question.replace(QUOTED, ' ');
  const coded = (outside.match(WITH_DIGIT) ?? []).filter((word) => /\p{N}/u.test(word));
  return [...new Set([...quoted, ...coded])].filter((literal) => literal !== '').slice(0, MOST);
}

/**
 * The first quoted text or number of a question that another form of it has lost. Numbers are compared by their runs of
 * digits: `1.000` may become `1,000`, and `1990er` the `1990s`.
 */
export function lostLiteral(question: string, other: string): string | undefined {
  return literalsOf(question)
    .flatMap((literal) => (isQuotedIn(question, literal) ? [literal] : (literal.match(/[0-9]+/g) ?? [])))
    .find((literal) => !other.includes(literal));
}

function isQuotedIn(question: string, literal: string): boolean {
  return [...question.matchAll(QUOTED)].some((match) => match.includes(literal, 1));
}
