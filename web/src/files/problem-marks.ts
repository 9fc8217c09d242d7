import { type Extension, type Range, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, hoverTooltip } from '@codemirror/view';
import type { FileProblem } from '../api/contract.ts';

/** Puts these problems in place of those before. */
export const showProblems = StateEffect.define<readonly FileProblem[]>();

const MARKS = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (set, { effects, changes, newDoc }) => {
    const shown = effects.findLast((effect) => effect.is(showProblems));
    if (shown === undefined) return set.map(changes);
    return Decoration.set(
      shown.value.flatMap((problem: FileProblem) => rangesOf(problem, newDoc)),
      true,
    );
  },
  provide: (self) => EditorView.decorations.from(self),
});

/** Lines and words with problems are marked, and say why when they are pointed at. Marks move with edits. */
export const PROBLEM_MARKS: Extension = [
  MARKS,
  hoverTooltip((view, at) => {
    const line = view.state.doc.lineAt(at);
    const found: string[] = [];
    view.state.field(MARKS).between(line.from, line.to, (_from, _to, { spec }) => {
      if (spec.said !== undefined) found.push(spec.said);
    });
    return found.length === 0 ? null : { pos: at, create: () => ({ dom: listOf(found) }) };
  }),
];

/** Where a problem points; what is outside of the text is the nearest within. */
export function offsetOf(doc: Text, { line, column }: Pick<FileProblem, 'line' | 'column'>): number {
  const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)));
  return Math.max(from, Math.min(from + column - 1, to));
}

function rangesOf(problem: FileProblem, doc: Text): Range<Decoration>[] {
  const { severity, message } = problem;
  const from = offsetOf(doc, problem);
  const line = doc.lineAt(from);
  const [word = ''] = /^(?:[\p{L}\p{N}_.-]+|\S)/u.exec(doc.sliceString(from, line.to)) ?? [];
  const whole = Decoration.line({ class: `problem-line problem-line-${severity}`, said: message });
  const mark = Decoration.mark({ class: `problem-word problem-word-${severity}` });
  return [whole.range(line.from), ...(word === '' ? [] : [mark.range(from, from + word.length)])];
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
