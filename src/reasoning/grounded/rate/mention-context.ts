import type { QuestionSymbol } from './question-symbols.ts';

const REACH = 3;

/** Features of one place of a question: what it is, what stands around it, how the question begins. */
export function mentionContext(symbols: readonly QuestionSymbol[], place: number): string[] {
  const at = (offset: number): string => symbols[place + offset]?.symbol ?? (place + offset < 0 ? '<' : '>');
  const own = at(0);
  const features = [`0=${own}`];
  for (let offset = 1; offset <= REACH; offset += 1)
    features.push(
      `-${offset}=${at(-offset)}`,
      `+${offset}=${at(offset)}`,
      `${own}-${offset}=${at(-offset)}`,
      `${own}+${offset}=${at(offset)}`,
    );
  features.push(
    `-2-1=${own} ${at(-2)} ${at(-1)}`,
    `-1+1=${own} ${at(-1)} ${at(1)}`,
    `+1+2=${own} ${at(1)} ${at(2)}`,
    `-3-2-1=${own} ${at(-3)} ${at(-2)} ${at(-1)}`,
    `first=${own} ${symbols[0]?.symbol ?? ''}`,
    `second=${own} ${symbols[0]?.symbol ?? ''} ${symbols[1]?.symbol ?? ''}`,
    `place=${own} ${Math.min(3, Math.floor((4 * place) / Math.max(1, symbols.length)))}`,
    `th=${own} ${Math.min(4, symbols.slice(0, place).filter(({ symbol }) => symbol === own).length)}`,
  );
  for (const word of new Set(symbols.map(({ symbol }) => symbol)))
    if (word !== own) features.push(`has=${own} ${word}`);
  const [noun] = symbols[place]?.mention?.nouns ?? [];
  if (noun !== undefined) features.push(`named=${noun.kind} ${Math.floor(noun.score * 10)}`);
  const last = (symbols[place]?.mention?.text ?? '').toLowerCase().split(/\s+/).at(-1) ?? '';
  features.push(`word=${last}`, `word=${own} ${last}`);
  return features;
}
