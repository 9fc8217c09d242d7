/** Politeness and noise: what says nothing about the data. */
import type { Span } from '../../../../sql/dialects/index.ts';
import type { Dice } from '../../../synthesis/items/seeded-random.ts';
import type { Alteration, AlteredSite, Made } from '../edits/alteration.ts';
import { asContinued, splitEnd } from '../edits/question-text.ts';
import { writtenText } from '../edits/sql-edits.ts';

/** Three of these for each question. */
const DRAWN = 3;

type Noise = (site: AlteredSite, dice: Dice) => string | undefined;

const NOISES: Readonly<Record<string, Noise>> = {
  please: ({ question }, dice) => {
    const [body, end] = splitEnd(question);
    return isRequest(question) && dice.chance(0.5)
      ? `Please ${asContinued(question)}`
      : `${body}, please${end}`;
  },
  greeting: ({ question }, dice) =>
    `${dice.pick(['hi, ', 'Hello, ', 'hey there, ', 'Good morning! '])}${asContinued(question)}`,
  thanks: ({ question }, dice) => `${question}${dice.pick([' thanks', ' Thanks!', ' Thank you.', ' thx'])}`,
  'can you': ({ question }, dice) => {
    const isRequest = /^(?:list|show|give|find|tell|return|count|display)\b/i.test(question);
    const opening = isRequest
      ? ['can you ', 'Could you please ']
      : ['can you tell me: ', 'I would like to know, '];
    return dice.pick(opening) + asContinued(question);
  },
  punctuation: ({ question }, dice) => {
    const [body] = splitEnd(question);
    return body + dice.pick(['', '??', '...', ' ?', '!', ' .']);
  },
  'lower case': (site) => (hasShortValue(site) ? undefined : site.question.toLowerCase()),
  typo: (site, dice) => withTypo(site, dice),
};

function isRequest(question: string): boolean {
  return /^(?:list|show|give|find|tell|return|count|display)\b/i.test(question);
}

export function addNoise(site: AlteredSite): readonly Made[] {
  const dice = site.dice('noise');
  return dice
    .shuffle(Object.entries(NOISES))
    .flatMap(([how, make]): readonly Alteration[] => {
      const question = make(site, dice);
      if (question === undefined || question === site.question) return [];
      return [{ kind: 'noise', how, question, due: { kind: 'same' } }];
    })
    .slice(0, DRAWN)
    .map((alteration) => ({ variants: [alteration] }));
}

/** A short value in small letters is a word of the language: IN, ME, OK. */
function hasShortValue({ gold, question }: AlteredSite): boolean {
  return gold.nodes.some((node) => {
    const text = writtenText(node);
    return text !== undefined && text.length <= 3 && question.includes(text);
  });
}

const LEAST_LETTERS = 7;

/** Two letters inside of a long word change places, or one is lost; values are left alone: a letter makes another of them. */
function withTypo({ question, gold }: AlteredSite, dice: Dice): string | undefined {
  const values = gold.nodes.flatMap((node) => writtenText(node)?.toLowerCase() ?? []);
  const words = [...question.matchAll(/(?<![\p{L}\p{N}_'-])\p{Ll}{7,}(?![\p{L}\p{N}_'-])/gu)].filter(
    ([word]) => word.length >= LEAST_LETTERS && !values.some((value) => value.includes(word)),
  );
  if (words.length === 0) return undefined;
  const { index, 0: word } = dice.pick(words);
  const at = 2 + Math.floor(dice.next() * (word.length - 4));
  const mistyped = dice.chance(0.5)
    ? word.slice(0, at) + word.slice(at + 1)
    : word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
  const span: Span = { start: index, end: index + word.length };
  return mistyped === word ? undefined : question.slice(0, span.start) + mistyped + question.slice(span.end);
}
