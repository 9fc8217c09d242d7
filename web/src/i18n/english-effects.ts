import type { ChoiceEffect } from '../api/contract.ts';

/** What an answer would be with another choice. */
export function englishEffect(effect: ChoiceEffect): string {
  switch (effect.kind) {
    case 'figure':
      return `${number(effect.value)} instead of ${number(effect.answered)}${change(effect.change)}`;
    case 'rows': {
      const rows = `${number(effect.rows)} ${effect.rows === 1 ? 'row' : 'rows'}`;
      return `${effect.isAtLeast ? 'at least ' : ''}${rows} instead of ${number(effect.answered)}`;
    }
    case 'values':
      return effect.rows === 1 && effect.change === undefined
        ? 'another row'
        : `${number(effect.differing)} of ${number(effect.rows)} rows differ${change(effect.change)}`;
    case 'unmeasured':
      return 'effect not measured';
  }
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 });
}

function change(share: number | undefined): string {
  if (share === undefined) return '';
  return `, ${share.toLocaleString('en', { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 })}`;
}
