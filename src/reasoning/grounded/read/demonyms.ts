/** Adjectives of continents and of countries people ask about most; regular ones end as their country does. */
const DEMONYMS: Readonly<Record<string, readonly string[]>> = {
  african: ['Africa'],
  american: ['USA', 'United States', 'US', 'America', 'United States of America'],
  argentinian: ['Argentina'],
  asian: ['Asia'],
  australian: ['Australia'],
  austrian: ['Austria'],
  belgian: ['Belgium'],
  brazilian: ['Brazil'],
  british: ['UK', 'United Kingdom', 'Britain', 'Great Britain'],
  canadian: ['Canada'],
  chinese: ['China'],
  danish: ['Denmark'],
  dutch: ['Netherlands'],
  egyptian: ['Egypt'],
  english: ['England'],
  european: ['Europe'],
  finnish: ['Finland'],
  french: ['France'],
  german: ['Germany'],
  greek: ['Greece'],
  hungarian: ['Hungary'],
  indian: ['India'],
  indonesian: ['Indonesia'],
  irish: ['Ireland'],
  israeli: ['Israel'],
  italian: ['Italy'],
  japanese: ['Japan'],
  korean: ['Korea', 'South Korea'],
  mexican: ['Mexico'],
  norwegian: ['Norway'],
  polish: ['Poland'],
  portuguese: ['Portugal'],
  russian: ['Russia', 'Russian Federation'],
  scottish: ['Scotland'],
  spanish: ['Spain'],
  swedish: ['Sweden'],
  swiss: ['Switzerland'],
  turkish: ['Turkey'],
  ukrainian: ['Ukraine'],
  welsh: ['Wales'],
};

/** Places that an adjective or a name in short may be stored as: `demonymPlaces('French')` → `['France']`. */
export function demonymPlaces(word: string): readonly string[] {
  const lower = word.toLowerCase();
  return Object.hasOwn(DEMONYMS, lower) ? (DEMONYMS[lower] ?? []) : [];
}
