/** What people wrote beside the data: notes, verified pairs, corrections, proposals, who stands for what. */

export { addNote } from './add-note.ts';
export {
  type Authored,
  isAboutHidden,
  isNoteFor,
  type Note,
  type ProductArea,
  withoutHidden,
} from './authored.ts';
export { catalogNames } from './catalog-names.ts';
export { type DescribedTable, type Guess, guessName } from './described.ts';
export { addEdit, EDITS_FILE, readEdits } from './edits.ts';
export { addExample, EXAMPLE_NAMES, readExample, readExamples, type VerifiedPair } from './examples.ts';
export {
  addProposal,
  dropProposal,
  findProposal,
  type KnowledgeFolders,
  type NewProposal,
  PROPOSED_FILE,
  type Proposal,
  publishProposal,
  readProposals,
  reviewedFile,
  withProposedSynonyms,
} from './proposals.ts';
