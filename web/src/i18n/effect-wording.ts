import type { ChoiceEffect } from '../api/contract.ts';

/** How a language says what an answer would be with another choice. */
export interface EffectWording {
  readonly locale: string;
  /** `5,912 instead of 5,856`; what is counted comes with its number. */
  readonly instead: (other: string, answered: string) => string;
  readonly rows: (count: number) => string;
  readonly atLeast: (rows: string) => string;
  /** How many of the rows that are shown would be others. */
  readonly ofThese: (some: string) => string;
  readonly anotherRow: string;
  readonly otherColumns: string;
  readonly ofNothing: string;
  readonly differing: (some: string, all: string) => string;
  readonly byUpTo: (change: string) => string;
  readonly unmeasured: string;
}

export function effectText(wording: EffectWording): (effect: ChoiceEffect) => string {
  const { locale, instead } = wording;
  const number = (value: number): string =>
    value.toLocaleString(locale, { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 });
  const percent = (share: number): string =>
    share.toLocaleString(locale, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 });
  return (effect) => {
    switch (effect.kind) {
      case 'figure': {
        const change = effect.change === undefined ? '' : `, ${percent(effect.change)}`;
        return `${instead(number(effect.value), number(effect.answered))}${change}`;
      }
      case 'rows': {
        const rows = wording.rows(effect.rows);
        const others = othersOf(wording, effect, number);
        return `${instead(effect.isAtLeast ? wording.atLeast(rows) : rows, number(effect.answered))}${others}`;
      }
      case 'values': {
        if (effect.isOtherShape === true) return wording.otherColumns;
        if (effect.rows === 1 && effect.largest === undefined) return wording.anotherRow;
        const largest = effect.largest === undefined ? '' : `, ${wording.byUpTo(percent(effect.largest))}`;
        return `${wording.differing(number(effect.differing), number(effect.rows))}${largest}`;
      }
      case 'unmeasured':
        return wording.unmeasured;
    }
  };
}

function othersOf(
  { ofThese, otherColumns, ofNothing }: EffectWording,
  { differing, isOtherShape, isOfNothing }: Extract<ChoiceEffect, { kind: 'rows' }>,
  number: (value: number) => string,
): string {
  if (isOtherShape === true) return `, ${otherColumns}`;
  if (isOfNothing === true) return `, ${ofNothing}`;
  return differing === 0 ? '' : `, ${ofThese(number(differing))}`;
}
