import { type Catalog, nameWords } from '../../catalog/index.ts';

/** Words that may stand around names of tables where nothing else is said. */
const AROUND = new Set(
  `a all an and are attributes both but by can columns contain contained contains could data describe do does explain fields
  for from give go has have hold holds i in instead inside is it just kept like list me more no not now of ok on only or out over please
  query read schema s show store stored stores structure switch tables table take tell that the their there these this those to try
  use used using want we what whats which with without would yes you add also include drop remove leave skip exclude about again`.split(
    /\s+/,
  ),
);

/** Whether a text names these tables, and says nothing but what one does with tables. */
export function saysNothingBut(
  text: string,
  tableIds: readonly string[],
  { tables }: Pick<Catalog, 'tables'>,
): boolean {
  const names = new Set(
    tables
      .filter(({ id }) => tableIds.includes(id))
      .flatMap(({ name }) => nameWords(name).flatMap((word) => [word, `${word}s`, word.replace(/s$/, '')])),
  );
  return nameWords(text).every(
    (word) => AROUND.has(word) || names.has(word) || names.has(word.replace(/ies$/, 'y')),
  );
}
