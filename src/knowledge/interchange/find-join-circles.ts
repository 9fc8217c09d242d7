import type { FileModel } from '../semantic/semantic-file.ts';

/** Relationships that lead from a dataset over others back to it, each circle once: `['a_b', 'b_a']`. */
export function findJoinCircles({
  relationships,
}: Pick<FileModel, 'relationships'>): readonly (readonly string[])[] {
  const next = new Map<string, { readonly to: string; readonly name: string }[]>();
  // A table that joins itself (an employee's manager) is no riddle: there is one way to read it.
  for (const { name, from, to } of relationships)
    if (from !== to) next.set(from, [...(next.get(from) ?? []), { to, name }]);
  const done = new Set<string>();
  const circles: string[][] = [];
  for (const start of next.keys()) {
    const open = [{ at: start, left: [...(next.get(start) ?? [])], by: '' }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const step = done.has(top.at) ? undefined : top.left.pop();
      if (step === undefined) {
        done.add(top.at);
        open.pop();
        continue;
      }
      const back = open.findIndex(({ at }) => at === step.to);
      if (back >= 0) circles.push([...open.slice(back + 1).map(({ by }) => by), step.name]);
      else open.push({ at: step.to, left: [...(next.get(step.to) ?? [])], by: step.name });
    }
  }
  return circles;
}
