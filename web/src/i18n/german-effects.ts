import type { ChoiceEffect } from '../api/contract.ts';

export function germanEffect(effect: ChoiceEffect): string {
  switch (effect.kind) {
    case 'figure':
      return `${number(effect.value)} statt ${number(effect.answered)}${change(effect.change)}`;
    case 'rows': {
      const rows = `${number(effect.rows)} ${effect.rows === 1 ? 'Zeile' : 'Zeilen'}`;
      return `${effect.isAtLeast ? 'mindestens ' : ''}${rows} statt ${number(effect.answered)}`;
    }
    case 'values':
      return effect.rows === 1 && effect.change === undefined
        ? 'eine andere Zeile'
        : `${number(effect.differing)} von ${number(effect.rows)} Zeilen sind andere${change(effect.change)}`;
    case 'unmeasured':
      return 'Wirkung nicht gemessen';
  }
}

function number(value: number): string {
  return value.toLocaleString('de', { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 });
}

function change(share: number | undefined): string {
  if (share === undefined) return '';
  return `, ${share.toLocaleString('de', { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 })}`;
}
