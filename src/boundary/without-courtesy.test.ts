import { expect, it } from 'vitest';
import { withoutCourtesy } from './question/normalise-question.ts';

it.each([
  ['Good morning! how many films are there?', 'how many films are there?'],
  ['Hi there, which films are long? Thanks a lot!', 'which films are long?'],
  ['Hello team, good afternoon. List the stores', 'List the stores'],
  ['How many tracks are there? thx', 'How many tracks are there?'],
  ['tracks per genre thx', 'tracks per genre'],
  ['Show every invoice of Leonie Köhler. Thank you.', 'Show every invoice of Leonie Köhler.'],
  ['Hiya, how many dogs are there? Ta, thanks.', 'how many dogs are there?'],
  ['Dear all, how many wines are there? Thanks and have a nice day!', 'how many wines are there?'],
  ['What is the average freight? Cheers, thanks.', 'What is the average freight?'],
  // A name, and words of a text.
  ['Good Morning, Vietnam rentals', 'Good Morning, Vietnam rentals'],
  ['episodes of Friends, Cheers', 'episodes of Friends, Cheers'],
  ['notes that say thanks', 'notes that say thanks'],
  ['Hello by Adele', 'Hello by Adele'],
  // Nothing else was said.
  ['Good morning!', 'Good morning!'],
  ['Thanks!', 'Thanks!'],
])('%s → %s', (text, asked) => expect(withoutCourtesy(text)).toBe(asked));
