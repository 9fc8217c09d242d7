/** Writes a product area into `knowledge/areas.yml`; other areas, and comments, stay. */
import { basename, join } from 'node:path';
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { CandorError } from '../../../errors.ts';
import { changeFile } from '../../files/authored-files.ts';
import type { ProductArea } from '../authored.ts';
import type { CatalogNames } from '../catalog-names.ts';
import { AREAS_FILE, readAreas } from './read-authored.ts';

const NEW_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Makes the area or changes what differs of it; `names` are those that the lists are read with. Throws
 * `knowledge.invalid` when the file is faulty already, `knowledge.refused` for an id or a form that cannot be written.
 */
export async function setArea(directory: string, area: ProductArea, names?: CatalogNames): Promise<void> {
  const shown = `${basename(directory)}/${AREAS_FILE}`;
  await changeFile(join(directory, AREAS_FILE), shown, (text) => {
    const before = readAreas(text, shown, names);
    const known = before.find(({ id }) => id === area.id);
    if (known === undefined && !NEW_ID.test(area.id))
      throw new CandorError(
        'knowledge.refused',
        `${JSON.stringify(area.id.slice(0, 100))} cannot be the id of an area: it takes small letters, digits, - and _.`,
      );
    const changed = write(text, area, { known, names });
    if (isAsWanted(changed, shown, { before, area, names })) return changed;
    throw new CandorError(
      'knowledge.refused',
      `${shown} is written in a form that cannot be added to; write its areas one below the other.`,
    );
  });
}

interface Known {
  readonly known: ProductArea | undefined;
  readonly names: CatalogNames | undefined;
}

function write(text: string, area: ProductArea, { known, names }: Known): string {
  const document = parseDocument(text);
  if (!isMap(document.get('areas', true))) document.set('areas', document.createNode({}));
  const at = ['areas', area.id];
  if (!isMap(document.getIn(at, true))) document.setIn(at, document.createNode({}));
  if (area.name !== (known?.name ?? area.id)) document.setIn([...at, 'name'], area.name);
  if (area.instructions !== known?.instructions) {
    if (area.instructions === undefined) document.deleteIn([...at, 'instructions']);
    else document.setIn([...at, 'instructions'], area.instructions);
  }
  const idOf = (name: string): string => names?.tableOf(name) ?? name.toLowerCase();
  setList(document, [...at, 'members'], { wanted: area.members, idOf: (name) => name });
  setList(document, [...at, 'include_tables'], { wanted: area.includeTables, idOf });
  setList(document, [...at, 'exclude_tables'], { wanted: area.excludeTables, idOf });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** What stays in a list stays as it is written. */
function setList(
  document: Document,
  at: readonly string[],
  { wanted, idOf }: { readonly wanted: readonly string[]; readonly idOf: (name: string) => string },
): void {
  const list = document.getIn(at, true);
  if (!isSeq(list)) {
    if (wanted.length > 0) document.setIn(at, document.createNode(wanted, { flow: true }));
    return;
  }
  const idOfItem = (item: unknown): string => idOf(String(isScalar(item) ? item.value : item));
  list.items = list.items.filter((item) => wanted.includes(idOfItem(item)));
  const kept = new Set(list.items.map(idOfItem));
  for (const id of wanted) if (!kept.has(id)) list.add(document.createNode(id));
  if (list.items.length === 0) document.deleteIn(at);
}

/** The change is taken only when it reads back as the old areas with this one. */
function isAsWanted(
  text: string,
  shown: string,
  {
    before,
    area,
    names,
  }: { before: readonly ProductArea[]; area: ProductArea; names: CatalogNames | undefined },
): boolean {
  const plain = ({ id, name, instructions, ...lists }: ProductArea): string =>
    JSON.stringify([
      ...[id, name, instructions ?? null],
      ...[lists.members, lists.includeTables, lists.excludeTables].map((list) => [...new Set(list)].sort()),
    ]);
  const wanted = [...before.filter(({ id }) => id !== area.id), area].map(plain).sort();
  try {
    return readAreas(text, shown, names).map(plain).sort().join('\n') === wanted.join('\n');
  } catch (error) {
    if (error instanceof CandorError) return false;
    throw error;
  }
}
