export { accountForWords, type LedgerContext, tellingWords } from './account-for-words.ts';
