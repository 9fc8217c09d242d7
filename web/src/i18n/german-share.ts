import type { ENGLISH_SHARE } from './english-share.ts';

export const GERMAN_SHARE: typeof ENGLISH_SHARE = {
  share: 'Teilen',
  shared: 'geteilt',
  title: 'Dieses Gespräch teilen',
  forSignedIn:
    'Wer auf diesem Server angemeldet ist und den Link hat, kann es lesen. Zu sehen ist, was man auch selbst hätte erfahren können, und nichts sonst. Zeilen gehören nicht dazu.',
  forMachine: 'Wer an diesem Rechner sitzt und den Link hat, kann es lesen. Zeilen gehören nicht dazu.',
  goesOn: 'Was später gefragt wird, gehört dazu, bis der Link beendet wird.',
  makeLink: 'Link erstellen',
  link: 'Link',
  copyLink: 'Link kopieren',
  endLink: 'Link beenden',
  made: 'Das Gespräch ist geteilt.',
  ended: 'Der Link führt nirgendwo mehr hin.',
  sharedChat: 'Geteiltes Gespräch',
  askedBy: (owner, last) =>
    `Gefragt von ${owner}, zuletzt am ${last.toLocaleDateString('de', { dateStyle: 'long' })}. Nur zum Lesen.`,
  yourOwn: 'Dies ist Ihr eigenes. Andere sehen davon, was sie auch selbst hätten erfahren können.',
  empty: 'Noch wurde nichts gefragt.',
  gone: 'Dieser Link führt nirgendwo hin. Er wurde beendet, oder er ist nicht vollständig.',
  askYourself: 'Selbst fragen',
};
