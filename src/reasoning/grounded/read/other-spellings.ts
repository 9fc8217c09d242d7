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

const COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  'united states': ['USA', 'US', 'United States of America'],
  'the united states': ['USA', 'United States', 'US', 'United States of America'],
  usa: ['United States', 'US', 'United States of America'],
  us: ['USA', 'United States', 'United States of America'],
  america: ['USA', 'United States', 'US'],
  uk: ['United Kingdom', 'Great Britain'],
  'united kingdom': ['UK', 'Great Britain'],
  britain: ['UK', 'United Kingdom', 'Great Britain'],
};

/** States of the United States by the letters that the post writes. */
const STATES: Readonly<Record<string, string>> = {
  ...{ alabama: 'AL', alaska: 'AK', arizona: 'AZ', arkansas: 'AR', california: 'CA', colorado: 'CO' },
  ...{ connecticut: 'CT', delaware: 'DE', florida: 'FL', georgia: 'GA', hawaii: 'HI', idaho: 'ID' },
  ...{ illinois: 'IL', indiana: 'IN', iowa: 'IA', kansas: 'KS', kentucky: 'KY', louisiana: 'LA' },
  ...{ maine: 'ME', maryland: 'MD', massachusetts: 'MA', michigan: 'MI', minnesota: 'MN' },
  ...{ mississippi: 'MS', missouri: 'MO', montana: 'MT', nebraska: 'NE', nevada: 'NV' },
  ...{ 'new hampshire': 'NH', 'new jersey': 'NJ', 'new mexico': 'NM', 'new york': 'NY' },
  ...{ 'north carolina': 'NC', 'north dakota': 'ND', ohio: 'OH', oklahoma: 'OK', oregon: 'OR' },
  ...{ pennsylvania: 'PA', 'rhode island': 'RI', 'south carolina': 'SC', 'south dakota': 'SD' },
  ...{ tennessee: 'TN', texas: 'TX', utah: 'UT', vermont: 'VT', virginia: 'VA', washington: 'WA' },
  ...{ 'west virginia': 'WV', wisconsin: 'WI', wyoming: 'WY' },
};

const SEXES: Readonly<Record<string, readonly string[]>> = {
  female: ['F', 'Woman'],
  females: ['Female', 'F'],
  woman: ['Female', 'F'],
  women: ['Female', 'F'],
  girl: ['Female', 'F'],
  girls: ['Female', 'F'],
  male: ['M', 'Man'],
  males: ['Male', 'M'],
  man: ['Male', 'M'],
  men: ['Male', 'M'],
  boy: ['Male', 'M'],
  boys: ['Male', 'M'],
};

/** How a value may be stored that a question names otherwise. */
export interface OtherSpelling {
  readonly text: string;
  /** Columns it is looked for in; any when absent. */
  readonly column?: RegExp;
}

/** Other texts a word may be stored as: `otherSpellings('French')` → `[{ text: 'France' }]`. */
export function otherSpellings(word: string): readonly OtherSpelling[] {
  const lower = word.toLowerCase();
  const places = [...known(DEMONYMS, lower), ...known(COUNTRIES, lower)].map((text) => ({ text }));
  const state = Object.hasOwn(STATES, lower) ? STATES[lower] : undefined;
  const letters = state === undefined ? [] : [{ text: state, column: /state|province/i }];
  return [...places, ...letters, ...known(SEXES, lower).map((text) => ({ text, column: /sex|gender/i }))];
}

/** Never what every object has: `constructor` is a word. */
function known(table: Readonly<Record<string, readonly string[]>>, word: string): readonly string[] {
  return Object.hasOwn(table, word) ? (table[word] ?? []) : [];
}
