/** The expressions of a question that a query has to account for: times, numbers, words of structure, names and words. */
import type { TimeRules } from '../../../knowledge/semantic/index.ts';
import {
  type Cue,
  cuesAt,
  findTimes,
  type TimeWindow,
  type Token,
  tokenise,
} from '../../../reasoning/grounded/question/index.ts';

/** One expression as it stands, before it is known where it went. */
export interface Expression {
  /** Tokens [from, to). */
  readonly from: number;
  readonly to: number;
  readonly time?: TimeWindow;
  readonly cue?: Cue;
}

export interface AskedQuestion {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** They cover all tokens that are words or numbers, in order. */
  readonly expressions: readonly Expression[];
}

export function readExpressions(text: string, now: Date, timeRules: TimeRules): AskedQuestion {
  const tokens = tokenise(text);
  const times = findTimes(text, now, timeRules);
  const expressions: Expression[] = [];
  for (let from = 0; from < tokens.length; ) {
    const token = tokens[from];
    const time = times.find((window) => token !== undefined && startsTime(window, token));
    const [longest] = time === undefined ? cuesAt(tokens, from) : [];
    const length =
      time === undefined
        ? (longest?.length ?? 1)
        : Math.max(1, tokens.slice(from).filter(({ end }) => end <= time.end).length);
    const isSaid = token !== undefined && !/^(?:comma|stop|symbol)$/.test(token.kind);
    if (isSaid || longest !== undefined)
      expressions.push({
        from,
        to: from + length,
        ...(time !== undefined && { time }),
        ...(longest !== undefined && { cue: longest.cue }),
      });
    from += length;
  }
  return { text, tokens, expressions };
}

function startsTime(window: TimeWindow, token: Token): boolean {
  return window.start >= token.start && window.start < token.end;
}
