import type { ChoiceEffect } from '../../answer.ts';

/** An effect in a few words, for cards and agents: `5,912 instead of 5,856, +1 %`. */
export function choiceEffectText(effect: ChoiceEffect): string {
  switch (effect.kind) {
    case 'figure':
      return `${number(effect.value)} instead of ${number(effect.answered)}${changed(effect.change, ', ')}`;
    case 'rows': {
      const rows = `${number(effect.rows)} ${effect.rows === 1 ? 'row' : 'rows'}`;
      const isToldApart = effect.differing > 0 && effect.isOtherShape !== true;
      const others = isToldApart ? `, ${number(effect.differing)} of these differ` : shape(effect);
      const nothing = effect.isOfNothing === true ? ', groups of nothing make the difference' : others;
      return `${effect.isAtLeast ? 'at least ' : ''}${rows} instead of ${number(effect.answered)}${nothing}`;
    }
    case 'values':
      if (effect.isOtherShape === true) return 'other columns';
      return effect.rows === 1 && effect.largest === undefined
        ? 'another row'
        : `${number(effect.differing)} of ${number(effect.rows)} rows differ${changed(effect.largest, ', by up to ')}`;
    case 'unmeasured':
      return `effect not measured: ${effect.because}`;
  }
}

function shape({ isOtherShape }: { readonly isOtherShape?: true }): string {
  return isOtherShape === true ? ', with other columns' : '';
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 });
}

/** In whole per cent, or with a digit behind the point where it is small. */
function changed(change: number | undefined, before: string): string {
  if (change === undefined) return '';
  const digits = Math.abs(change) < 0.1 ? 1 : 0;
  const shown = Math.abs(change * 100).toLocaleString('en', { maximumFractionDigits: digits });
  return `${before}${change < 0 ? '−' : '+'}${shown} %`;
}
