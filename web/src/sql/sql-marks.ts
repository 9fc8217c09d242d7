import { type Extension, type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, hoverTooltip } from '@codemirror/view';
import type { Evidence, RiskyPart, Span } from '../api/contract.ts';

/** Levels of heat; each is a class, so that themes choose its colour. */
const LEVELS = 5;

export interface SqlMarks {
  readonly units: readonly RiskyPart[];
  readonly evidence: readonly Evidence[];
  /** How likely a part is wrong, in words. */
  readonly riskText: (percent: number) => string;
}

/** 0: hardly wrong; `LEVELS` − 1: almost surely. */
export function heatLevel(probability: number): number {
  return Math.min(LEVELS - 1, Math.floor(probability * LEVELS));
}

/** Parts of a query marked by how likely they are wrong; reasons and evidence when they are pointed at. Marks move with edits. */
export function sqlMarks(marks: SqlMarks): Extension {
  const field = StateField.define<DecorationSet>({
    create: ({ doc }) => RangeSet.of(rangesOf(marks, doc.length), true),
    update: (set, { changes }) => set.map(changes),
    provide: (self) => EditorView.decorations.from(self),
  });
  return [field, hoverTooltip((view, at) => tooltipAt(view.state.field(field), at, marks))];
}

/** Lights up these parts in place of those before. */
export const lightUp = StateEffect.define<readonly Span[]>();

/** The parts that a word of the question became, while somebody looks at it. */
export const LIT_PARTS = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (set, { effects, changes, newDoc }) => {
    const lit = effects.findLast((effect) => effect.is(lightUp));
    if (lit === undefined) return set.map(changes);
    const parts = lit.value.filter(({ start, end }: Span) => start < end && end <= newDoc.length);
    const mark = Decoration.mark({ class: 'lit' });
    return Decoration.set(
      parts.map(({ start, end }: Span) => mark.range(start, end)),
      true,
    );
  },
  provide: (self) => EditorView.decorations.from(self),
});

function rangesOf({ units }: SqlMarks, length: number): Range<Decoration>[] {
  return units
    .filter(({ sqlSpan }) => sqlSpan.start < sqlSpan.end && sqlSpan.end <= length)
    .map((unit) =>
      Decoration.mark({ class: `heat heat-${heatLevel(unit.probability)}`, unit }).range(
        unit.sqlSpan.start,
        unit.sqlSpan.end,
      ),
    );
}

function tooltipAt(set: DecorationSet, at: number, { evidence, riskText }: SqlMarks) {
  const found: { from: number; to: number; unit: RiskyPart }[] = [];
  set.between(at, at, (from, to, { spec }) => {
    found.push({ from, to, unit: spec.unit });
  });
  const why = evidence.filter(({ sqlSpan }) => sqlSpan.start <= at && at <= sqlSpan.end);
  // The smallest part that holds the place says most.
  const [risky] = found.toSorted((one, other) => one.to - one.from - (other.to - other.from));
  if (risky === undefined && why.length === 0) return null;
  const lines = [
    ...(risky === undefined
      ? []
      : [riskText(Math.round(risky.unit.probability * 100)), ...risky.unit.reasons]),
    ...why.map((each) => each.why),
  ];
  return { pos: risky?.from ?? at, create: () => ({ dom: listOf(lines) }) };
}

function listOf(lines: readonly string[]): HTMLElement {
  const list = document.createElement('ul');
  list.className = 'sql-why';
  for (const line of new Set(lines)) {
    const item = document.createElement('li');
    item.textContent = line;
    list.append(item);
  }
  return list;
}
