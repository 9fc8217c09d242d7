import { onOneLine } from '../../lib/index.ts';

/** What a person asks to be remembered: a rule in their words, or a word that stands for others. */
export interface Remembered {
  /** The rule as it is kept, a sentence. */
  readonly text: string;
  readonly synonym?: { readonly term: string; readonly meaning: string };
  /** Further words of the same sentence, each for itself. */
  readonly also?: readonly Remembered[];
  /** It breaks off before it says anything. */
  readonly isHalf?: true;
}

const ASKED =
  /^(?:(?:please|ok(?:ay)?|and|also|now|well|can you|could you|candor)[\s,]+){0,3}(?:remember|note|keep in mind|don['’]t forget|do not forget|learn|make a note|take note)(?:\s+(?:please|this|for (?:next time|later|the future|good)|from now on)){0,2}\s*(?:[,:]\s*(?:that\b)?|\bthat\b)\s*([\s\S]*)$/i;

/** Nothing is said that could be kept. */
const NOTHING =
  /^(?:(?:please|ok(?:ay)?|and|now|well|can you|could you|candor)[\s,]+){0,3}(?:remember|keep in mind|don['’]t forget|do not forget|make a note|take note)(?:\s+(?:please|this|it|something|for (?:next time|later|the future|good)|from now on)){0,2}[\s.!:…]*$/i;

/** A sentence cannot end so. */
const BROKEN_OFF =
  /(?:^|\s)(?:means?|stands?(?: for)?|is(?: short for| the same as)?|are|was|were|the|an?|and|or|when|if|because|that|than|equals?)[\s.…:,]*$/i;

/** `forget that pics means films`: what is withdrawn is said again. */
const WITHDRAWN_RULE =
  /^(?:(?:please|ok(?:ay)?|no|wait|now)[\s,]+){0,2}(?:forget|unlearn|don['’]t remember|do not remember) (?:that|what i said:?) (\S+(?:\s+\S+){2,})$/i;

const WITHDRAWN =
  /^(?:(?:please|ok(?:ay)?|no|wait)[\s,]+){0,2}(?:forget (?:that|it|this|what (?:i|you) (?:said|remembered|noted)|that note)(?: again| please)?|don['’]t remember (?:that|it|this)|unlearn (?:that|it|this))[\s.!]*$/i;

const MEANS =
  /^(?:by\s+|the (?:word|term)\s+)?["“'‘]?([^"“”'‘’]{2,60}?)["”'’]?\s+(?:means?|stands? for|is short for|is the same as|is (?:another|our) (?:word|name) for)\s+(?:the same as\s+)?["“'‘]?([^"“”'‘’]{2,80}?)["”'’]?[.!\s]*$/i;

/** Between two words that are explained in one sentence: a comma or “and”, with a verb behind it. */
const BETWEEN_WORDS =
  /\s*(?:[,;]\s*(?:and\s+)?|\s+and\s+)(?=[^,;]{2,60}?\s(?:means?|stands? for|is short for|is the same as|is (?:another|our) (?:word|name) for)\s)/i;

/** More words than these are a definition, which takes the place of no word in a question. */
const MOST_TERM_WORDS = 4;
const MOST_MEANING_WORDS = 5;
/** Said of what stands before, not of a word. */
const POINTING = /^(?:it|this|that|they|these|those|he|she|what|which|an?|the)$/i;

/**
 * `remember that an order counts only when it is paid` → its rule; undefined for a text that asks for no such thing, such as
 * a question that begins so. An empty rule: nothing is said that could be kept.
 */
export function rememberedIn(said: string): Remembered | undefined {
  const text = said.trim();
  if (NOTHING.test(text)) return { text: '' };
  const [, rule] = ASKED.exec(text) ?? [];
  if (rule === undefined || /\?\s*$/.test(text)) return undefined;
  const kept = onOneLine(rule);
  if (kept !== '' && (BROKEN_OFF.test(kept) || wordsIn(kept) < 2)) return { text: kept, isHalf: true };
  const [first, ...also] = synonymsIn(kept);
  return first === undefined ? { text: sentence(kept), synonym: synonymIn(kept) } : { ...first, also };
}

/** Of the words of a rule that a model has put, so many are the person's own: what a cell or an earlier answer says is nobody's rule. */
const OWN_WORDS = 0.6;
/** So many, and the rule is the person's, though told in other words: then theirs are kept. */
const SOME_OWN_WORDS = 0.3;
/** What people say before a rule. */
const LEAD_IN =
  /^(?:(?:fyi|btw|by the way|ok(?:ay)?|thx|thanks|ah|oh|hm+|no|well|careful|wrong|that['’]?s (?:not right|wrong)|just so (?:you|u) know)(?=[\s,.:;!–-])[\s,.:;!–-]*)+/i;

/** A question is no rule, whatever a model makes of it. */
const ASKING =
  /^(?:how|what|which|who|whose|when|where|why|is|are|was|were|do(?!n['’]?t| not)|does|did|can|could)\b/i;
/** What is asked for now is none either, unless it is said to last. */
const REQUEST = /^(?:show|list|give|count|sum|plot|compare|find|tell)\b/i;
const LASTING = /\b(?:always|never|from now on|every time|in (?:the )?future)\b/i;
/** What holds of this answer alone. */
const ONCE = /\b(?:(?:just )?this (?:once|time)|for now|just now)\b/i;
const DENIAL =
  /\b(?:not|no|never|nobody|none|without|wrong|except|but)\b|n['’]t\b|\b(?:dont|doesnt|isnt|arent|wont)\b/i;

/** A rule that a language model finds in what was said, in the person's words where it took others; undefined where it is not theirs. */
export function rememberedRule(rule: string | undefined, said: string): Remembered | undefined {
  const bare = said.trim().replace(LEAD_IN, '');
  const isOfNow = ASKING.test(bare) || ONCE.test(said) || (REQUEST.test(bare) && !LASTING.test(said));
  if (rule === undefined || isOfNow) return undefined;
  const own = new Set(wordsOf(said));
  const words = wordsOf(rule);
  const share = words.filter((word) => own.has(word)).length / Math.max(words.length, 1);
  // What is denied in one and not in the other is not the same rule.
  if (share >= OWN_WORDS && DENIAL.test(rule) === DENIAL.test(said))
    return rememberedIn(`remember that ${rule}`);
  return share < SOME_OWN_WORDS ? undefined : rememberedIn(`remember that ${bare}`);
}

/** Beginnings of words that say something, so that "dogs" and "dog" are one. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/\p{L}{4,}|\p{N}+/gu) ?? []).map((word) => word.slice(0, 4));
}

/** Every word of a sentence that says of several what they stand for; none where it says anything else. */
function synonymsIn(rule: string): readonly Remembered[] {
  const parts = rule.split(BETWEEN_WORDS).map((part) => ({ text: sentence(part), synonym: synonymIn(part) }));
  const isOfWords = parts.length > 1 && parts.every(({ synonym }) => synonym !== undefined);
  return isOfWords ? parts : [];
}

/** `forget that`: what was kept last is withdrawn; `forget that pics means films`: that one. */
export function isWithdrawn(said: string): boolean {
  return WITHDRAWN.test(said.trim()) || withdrawnIn(said) !== undefined;
}

/** What is to be withdrawn, where it is said again. */
export function withdrawnIn(said: string): Remembered | undefined {
  const [, rule] = WITHDRAWN_RULE.exec(said.trim()) ?? [];
  if (rule === undefined || /\?$/.test(rule)) return undefined;
  const kept = onOneLine(rule);
  return { text: sentence(kept), synonym: synonymIn(kept) };
}

function synonymIn(rule: string): Remembered['synonym'] {
  const [, said = '', meant = ''] = MEANS.exec(rule) ?? [];
  // "a big deal means …" holds of big deals.
  const [term, meaning] = [said, meant].map((one) => one.replace(/^(?:an?|the)\s+(?=\S)/i, '')) as [
    string,
    string,
  ];
  const isShort =
    wordsIn(term) <= MOST_TERM_WORDS && wordsIn(meaning) <= MOST_MEANING_WORDS && !/[,;:()]/.test(meaning);
  if (term === '' || meaning === '' || !isShort || POINTING.test(term)) return undefined;
  // A word that stands for itself and more would be replaced for ever.
  if (meaning.toLowerCase().includes(term.toLowerCase())) return undefined;
  return { term, meaning };
}

function wordsIn(text: string): number {
  return text.trim().split(/\s+/).length;
}

function sentence(rule: string): string {
  const whole = rule.slice(0, 1).toUpperCase() + rule.slice(1);
  return whole === '' || /[.!]$/.test(whole) ? whole : `${whole}.`;
}
