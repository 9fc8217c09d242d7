import type { StateFile } from '../../../store/index.ts';
import { PlaceWriter, readBytes, readPostings, SegmentWriter, type TextTerm } from './segment-writer.ts';
import { TermDictionary } from './term-dictionary.ts';

/** Each segment costs a search one lookup for each of its terms. */
const MOST_SMALL = 12;
/** Of living texts; a segment of fewer, or of less than half of its own, is small. */
const SMALL = 8_192;

/**
 * Where there are many segments of few living texts, puts them into one: what refreshes leave behind does not pile up.
 * Each text is moved once in a dozen refreshes.
 */
export async function compactLake(file: StateFile, signal: AbortSignal | undefined): Promise<void> {
  const small = file
    .prepare(
      'SELECT key, first, count, living FROM segments WHERE living < ? OR living * 2 < count ORDER BY first',
    )
    .all(SMALL);
  if (small.length < MOST_SMALL) return;
  await file.longTransaction(async () => {
    const terms = new TermDictionary(file);
    const segment = new SegmentWriter(file, terms);
    const places = new PlaceWriter(file);
    const generation = Number(file.statement('SELECT generation AS n FROM totals').get()?.n) + 1;
    for (const { first, count } of small)
      moveTexts(file, { first: Number(first), end: Number(first) + Number(count) }, { segment, places });
    places.write(generation);
    segment.write(generation);
  }, signal);
}

function moveTexts(
  file: StateFile,
  { first, end }: { readonly first: number; readonly end: number },
  { segment, places }: { readonly segment: SegmentWriter; readonly places: PlaceWriter },
): void {
  const rows = file
    .prepare('SELECT number, hash, terms FROM texts WHERE number >= ? AND number < ? ORDER BY number')
    .all(first, end);
  const tables = file.statement('SELECT key FROM tables WHERE text = ?');
  const move = file.statement('UPDATE tables SET text = ? WHERE text = ?');
  for (const { number, hash, terms } of rows) {
    const list: TextTerm[] = [];
    readPostings(readBytes(terms), (key, inTitle, inBody) => list.push({ key, inTitle, inBody }));
    const facts = segment.forget(Number(number));
    const moved = segment.place(readBytes(hash), list, facts);
    for (const { key } of tables.all(Number(number))) places.set(Number(key), moved);
    move.run(moved, Number(number));
  }
}
