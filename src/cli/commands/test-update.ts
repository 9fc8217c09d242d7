import { type Update, writeUpdates } from '../../lab/index.ts';
import type { Io } from '../io.ts';
import { counted, escapeControl, escapeControlKeepingLines, lineDiff } from '../render/index.ts';

/** Shows each update and writes those that a person agrees to. What is shown and said goes to stderr. */
export async function confirmUpdates(
  updates: readonly Update[],
  { isAgreed, io }: { readonly isAgreed: boolean; readonly io: Io },
): Promise<void> {
  const agreed: Update[] = [];
  for (const [at, update] of updates.entries()) {
    io.stderr.write(`${showUpdate(update, `${at + 1} of ${updates.length}`)}\n`);
    const picked = isAgreed
      ? 0
      : await io.choose?.('Is this what should be expected?', ['yes, write it', 'no']);
    if (picked === 0) agreed.push(update);
  }
  await writeUpdates(agreed);
  const next = agreed.length === 0 ? '' : '; look at them with git diff and run the tests again';
  io.stderr.write(
    updates.length === 0
      ? 'nothing to update: no case that is due an answer came with other rows\n'
      : `${counted(agreed.length, 'case')} of ${updates.length} updated${next}\n`,
  );
}

function showUpdate({ tested, turn, before, sql, rows, result }: Update, place: string): string {
  const lines = lineDiff(before ?? '', sql).map(({ mark, text }) => `  ${mark} ${text}`);
  const shown = before === undefined ? sql.split('\n').map((line) => `  + ${line}`) : lines;
  return [
    `${place}: ${escapeControl(`${tested.file}:${tested.line} ${tested.id}`)}`,
    `  ${escapeControl(tested.turns[turn]?.says.text ?? '')}`,
    ...result.problems.map(({ text }) => `  ${escapeControl(text)}`),
    ...shown.map(escapeControlKeepingLines),
    ...(rows === undefined ? [] : [`  with the ${counted(rows.length, 'row')} that came as its result`]),
  ].join('\n');
}
