import { detectLanguage } from '../../linking/index.ts';
import type { GroundedKnowledge } from '../../reasoning/index.ts';

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
