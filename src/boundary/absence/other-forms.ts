/** Each the other's British or American spelling, at the end of a word or within it. */
const SPELLINGS: readonly (readonly [
  british: RegExp,
  american: string,
  american: RegExp,
  british: string,
])[] = [
  [/our/, 'or', /or(?!e)/, 'our'],
  [/is(?=e[drs]?$|ing$|ations?$)/, 'iz', /iz(?=e[drs]?$|ing$|ations?$)/, 'is'],
  [/ys(?=e[drs]?$|ing$)/, 'yz', /yz(?=e[drs]?$|ing$)/, 'ys'],
  [/re(?=s?$)/, 'er', /er(?=s?$)/, 're'],
  [/ogue(?=s?$)/, 'og', /og(?=s?$)/, 'ogue'],
  [/ll(?=ed$|ing$|ers?$)/, 'l', /l(?=ed$|ing$|ers?$)/, 'll'],
  [/ence(?=s?$)/, 'ense', /ense(?=s?$)/, 'ence'],
  [/que(?=s?$)/, 'ck', /ck(?=s?$)/, 'que'],
  [/mme(?=s?$)/, 'm', /m(?=s?$)/, 'mme'],
  [/yre(?=s?$)/, 'ire', /ire(?=s?$)/, 'yre'],
  [/ae|oe/, 'e', /^$/, ''],
];
const SHORTEST = 4;

/** How a word may be written on the other side of the ocean: “colour” → color, “organization” → organisation. */
export function otherSpellingsOf(lower: string): readonly string[] {
  if (lower.length < SHORTEST) return [];
  const written = SPELLINGS.flatMap(([british, toAmerican, american, toBritish]) => [
    lower.replace(british, toAmerican),
    lower.replace(american, toBritish),
  ]);
  return [...new Set(written)].filter((form) => form !== lower);
}

/** “CVs” → CV. */
export function singularAcronym(word: string): string | undefined {
  return /^\p{Lu}{2,}(?=[’']?s$)/u.exec(word)?.[0];
}

/** The same word written otherwise: “colour”, “CVs”, “hip-hop”. */
export function otherForms(word: string): readonly string[] {
  const acronym = singularAcronym(word);
  return [
    ...otherSpellingsOf(word.toLowerCase()),
    ...(acronym === undefined ? [] : [acronym]),
    ...(word.includes('-') ? [word.replaceAll('-', ' ')] : []),
  ];
}
