import type { ImportDesk } from '../import-desk.ts';
import { faultAt, isBlock, type LookmlElement, lose, wordsOf } from './lookml-element.ts';
import type { LookmlBlock, LookmlEntry } from './parse-lookml.ts';

/**
 * Views or explores with refinements (`view: +orders`) and `extends` written out. A circle of `extends` throws; what
 * refines or extends something that is not there is reported.
 */
export function mergeElements(elements: readonly LookmlElement[], desk: ImportDesk): LookmlElement[] {
  const byName = new Map<string, LookmlElement>();
  for (const element of elements) {
    const isRefinement = element.name.startsWith('+');
    const name = isRefinement ? element.name.slice(1) : element.name;
    const before = byName.get(name);
    if (isRefinement && before === undefined) {
      lose(desk, 'dropped', element, `${element.kind} ${element.name} refines what is not among the files`);
    } else if (before !== undefined && !isRefinement) {
      throw faultAt(element, `${element.kind} ${name} stands in ${before.file.path} already`);
    } else {
      byName.set(
        name,
        before === undefined ? element : { ...before, entries: merge(before.entries, element.entries) },
      );
    }
  }
  return [...byName.values()].map((element) => extend(element, { byName, desk, trail: [] }));
}

interface Extending {
  readonly byName: ReadonlyMap<string, LookmlElement>;
  readonly desk: ImportDesk;
  readonly trail: readonly string[];
}

function extend(element: LookmlElement, { byName, desk, trail }: Extending): LookmlElement {
  const parents = [...wordsOf(element, 'extends'), ...wordsOf(element, 'extends__all')];
  if (parents.length === 0) return element;
  const path = [...trail, element.name];
  let entries: readonly LookmlEntry[] = [];
  for (const name of parents) {
    if (path.includes(name))
      throw faultAt(
        element,
        `${element.kind}s extend each other in a circle: ${[...path, name].join(' → ')}`,
      );
    const parent = byName.get(name);
    if (parent === undefined)
      lose(desk, 'dropped', element, `${element.name} extends ${name}, which is not there`);
    else entries = merge(entries, extend(parent, { byName, desk, trail: path }).entries);
  }
  const own = element.entries.filter(({ key }) => !['extends', 'extends__all', 'extension'].includes(key));
  const kept = entries.filter(({ key }) => key !== 'extension');
  return { ...element, entries: merge(kept, own) };
}

/** Named blocks are merged with those of their name, all else is replaced. */
function merge(before: readonly LookmlEntry[], after: readonly LookmlEntry[]): LookmlEntry[] {
  const idOf = (entry: LookmlEntry): string => `${entry.key} ${namedBlock(entry)?.name ?? ''}`;
  const merged = new Map(before.map((entry) => [idOf(entry), entry]));
  for (const entry of after) {
    const old = merged.get(idOf(entry));
    const [inside, outside] = [old && namedBlock(old), namedBlock(entry)];
    const value =
      inside && outside ? { ...outside, entries: merge(inside.entries, outside.entries) } : entry.value;
    merged.set(idOf(entry), { ...entry, value });
  }
  return [...merged.values()];
}

function namedBlock({ value }: LookmlEntry): LookmlBlock | undefined {
  return typeof value !== 'string' && isBlock(value) && value.name !== undefined ? value : undefined;
}
