import type { Option } from '../answer.ts';

/** A question back as it was asked: what an answer to it is read against. */
export interface AskedBack {
  readonly kind: 'clarify' | 'follow_up';
  /** The question as it was read, which the options start from. */
  readonly question: string;
  /** The words that are unclear, or the dimension that is missing. */
  readonly phrase: string;
  readonly options: readonly Option[];
}

export type MergedAnswer =
  | {
      readonly kind: 'merged';
      /** Stands alone: read without the first question and the answer. */
      readonly question: string;
      /** From 0; absent where the answer was in words of its own. */
      readonly option?: number;
      /** What was taken because the person left it open. */
      readonly assumed?: string;
    }
  | { readonly kind: 'unclear'; readonly because: string };

const ANY =
  /^(?:(?:just |please )?(?:pick|choose|take)(?: (?:one|any|anything|for me))?|any(?:thing|one| of (?:them|these|those))?|whatever|whichever|you (?:choose|pick|decide)|i (?:do not|don['’]t) (?:care|mind)|does(?: not|n['’]t) matter)$/i;
const ALL = /^(?:all|all of (?:them|these|those)|every(?: one)?|each(?: one| of them)?|everything)$/i;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const PLACE =
  /^(?:the |number |option |no\.? ?|#)*(\d{1,2}|first|second|third|fourth|fifth)(?:st|nd|rd|th)?(?: (?:one|option))?$/i;
const MOST_CHARACTERS = 200;

/**
 * An answer to a question back, merged into a question that stands alone: by number ("2", "the second"), by label, by words of
 * its own, "any" for the first option, "all" for a group by the dimension that was missing. Pure; source: issue 10.
 */
export function mergeAnswer(back: AskedBack, reply: string): MergedAnswer {
  const said = reply
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/[.!?]+$/, '')
    .trim();
  if (!/[\p{L}\p{N}]/u.test(said)) return unclear('The answer is empty.');
  if (said.length > MOST_CHARACTERS) return unclear(`An answer has at most ${MOST_CHARACTERS} characters.`);
  const { options } = back;
  const labelled = byLabel(options, said);
  if (labelled !== undefined) return taken(options, labelled);
  if (ANY.test(said)) {
    const [first] = options;
    const assumed = `“${back.phrase}” was left open: ${first?.label ?? ''} was taken.`;
    return first === undefined ? unclear('There is no option to take.') : { ...taken(options, 0), assumed };
  }
  if (ALL.test(said)) return everyOne(back);
  const place = placeOf(said);
  if (place !== undefined)
    return options[place] === undefined
      ? unclear(`There are ${options.length} options; “${said}” is none of them.`)
      : taken(options, place);
  return inOwnWords(back, said);
}

function taken(
  options: readonly Option[],
  option: number,
): Extract<MergedAnswer, { readonly kind: 'merged' }> {
  return { kind: 'merged', question: options[option]?.question ?? '', option };
}

/** The one label that is the answer, else the one that has its words. */
function byLabel(options: readonly Option[], said: string): number | undefined {
  const fold = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const wanted = fold(said);
  const labels = options.map(({ label }) => fold(label));
  const same = labels.indexOf(wanted);
  if (same >= 0) return same;
  if (/^\d+$/.test(wanted) || ANY.test(said) || ALL.test(said)) return undefined;
  const holding = labels.flatMap((label, at) => (` ${label} `.includes(` ${wanted} `) ? [at] : []));
  return holding.length === 1 ? holding[0] : undefined;
}

function placeOf(said: string): number | undefined {
  const word = PLACE.exec(said)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  const ordinal = ORDINALS.indexOf(word);
  // A year is an answer in words.
  return ordinal >= 0 ? ordinal : Number(word) - 1;
}

function everyOne({ kind, question, phrase }: AskedBack): MergedAnswer {
  if (kind === 'clarify') return unclear(`“${phrase}” cannot be all of its options at once; pick one.`);
  return { kind: 'merged', question: `${withoutEnd(question)} by ${phrase}` };
}

/** The words take the place of the unclear ones, or narrow the dimension. */
function inOwnWords({ kind, question, phrase }: AskedBack, said: string): MergedAnswer {
  if (kind === 'follow_up')
    return {
      kind: 'merged',
      question: `${withoutEnd(question)} for ${phrase} ${said.replace(/^(?:for|in) /i, '')}`,
    };
  const at = question.toLowerCase().indexOf(phrase.toLowerCase());
  if (at < 0 || phrase === '') return unclear(`Pick one of the options, or ask anew with “${said}” in it.`);
  return { kind: 'merged', question: `${question.slice(0, at)}${said}${question.slice(at + phrase.length)}` };
}

function withoutEnd(question: string): string {
  return question.replace(/[?.!\s]+$/, '');
}

function unclear(because: string): MergedAnswer {
  return { kind: 'unclear', because };
}
