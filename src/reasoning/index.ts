/** What a mind does for the pipeline: today the grounded engine. */

export { buildKnowledge, type GroundedKnowledge, hypothesise, inContext } from './grounded/index.ts';
export { COLUMN_FEATURES, type ColumnMatrix, columnMatrix } from './grounded/linking/column-features.ts';
export { CONTEXT_FEATURES, formOpinion, withContext } from './grounded/linking/context-features.ts';
export {
  GROUNDED_LINK_DEFAULTS,
  type GroundedLinkSettings,
  groundedLinkReasoner,
} from './grounded/linking/grounded-link-reasoner.ts';
export { type PreparedLinker, prepareLinker, rankedQuestion } from './grounded/linking/prepare-linker.ts';
export { type QuestionWords, readQuestionWords } from './grounded/linking/question-words.ts';
export {
  FOREST_FILES,
  type LinkForests,
  openLinkForests,
  rankSchema,
  scoreColumns,
} from './grounded/linking/rank-schema.ts';
export type { RankedQuestion } from './grounded/linking/ranked-question.ts';

export {
  CHOICE_RISKS,
  type ChoiceRisks,
  formSchemaOpinion,
  keepTables,
  type SchemaOpinion,
} from './grounded/linking/schema-opinion.ts';
export { TABLE_FEATURES, tableMatrix } from './grounded/linking/table-features.ts';
export { findApart } from './grounded/metric/frame/metric-hints.ts';
export { type Cue, cuesAt } from './grounded/question/mention/lexicon.ts';
export { isRelationVerb, isVerbLike } from './grounded/question/mention/sentence-words.ts';
export { timeGrain } from './grounded/question/read/calendar.ts';
export { findTimes, type TimeWindow } from './grounded/question/read/find-times.ts';
export { nearestWord, otherSpellings } from './grounded/question/read/spellings.ts';
export { type Token, tokenise } from './grounded/question/read/tokenise.ts';
export { type Unit, unitNamed } from './grounded/question/read/units.ts';
export {
  baseForms,
  isEnglish,
  isInField,
  isMostlyVerb,
  isOnlyName,
  namesOfSame,
  type RelatedWord,
  rarityOf,
  relatedWords,
  relationBetween,
} from './grounded/question/vocabulary/index.ts';
export { rankByRetrieval } from './grounded/rank-by-retrieval.ts';
export { type AskedModels, namedPlaces, readAsked } from './grounded/rate/asked.ts';
export { makeCandidates, type ReadQuestion } from './grounded/rate/candidate.ts';
export {
  openRatingModels,
  PROJECT_RATING_FILE,
  RATING_FILES,
  readRatingModels,
} from './grounded/rate/open-rating-models.ts';
export { type QueryTraits, queryTraits, SHAPE_PARTS, type ShapePart } from './grounded/rate/query-traits.ts';
export {
  mentionContext,
  mentionRole,
  questionGrams,
  questionSymbols,
} from './grounded/rate/question-features.ts';
export { type RatingModels, rateRow } from './grounded/rate/rate-candidates.ts';
export { READING_FEATURES, readingFeatures } from './grounded/rate/reading-features.ts';
export { readQuestion } from './grounded/read-question.ts';
export { assistByModel } from './llm/assist-by-model.ts';
export { benchByModel } from './llm/bench-by-model.ts';
export { describedTokens, describeTableByModel } from './llm/describe-by-model.ts';
export { readJsonText } from './llm/extract-json.ts';
export { modelReasoner } from './llm/model-reasoner.ts';
export { literalsOf, normaliseByModel } from './llm/normalise-by-model.ts';

export { describeTablePrompt } from './llm/prompts/describe-table-prompt.ts';
export { rankByModel } from './llm/rank-by-model.ts';

export { writeByModel } from './llm/write-by-model.ts';
export { disclosing } from './privacy/disclosing.ts';
export { privately } from './privacy/privately.ts';
export { valueProbe } from './privacy/value-probe.ts';
export {
  DEFAULT_EXPANSIONS,
  EXPANSION_NAMES,
  type ExpansionName,
  type ReplaySettings,
  replayReasoner,
} from './replay/index.ts';
export { adjacentPhrases } from './roles/adjacent-phrases.ts';
export type {
  AnswerVerdict,
  AskedAbout,
  AssistReasoner,
  DescribedQuery,
  FollowUpKind,
  Intent,
  JudgedAnswer,
  Route,
  TalkState,
} from './roles/assist-reasoner.ts';
export type { BenchReasoner } from './roles/bench-reasoner.ts';
export type {
  Statement,
  TableDescription,
  TableToDescribe,
} from './roles/describe-reasoner.ts';
export type {
  GroundedReading,
  JointReasoner,
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  NamedField,
  NamedTable,
  OverviewTable,
  RefineCall,
  RefineResult,
  RefineView,
  SchemaOverview,
  SchemaView,
  UncertainItem,
  ViewedTable,
} from './roles/link-reasoner.ts';
export type {
  NormaliseQuestion,
  NormaliseReasoner,
  QuestionValidity,
  TranslatedQuestion,
} from './roles/normalise-reasoner.ts';
export type {
  ColumnCard,
  FoundSigns,
  RankQuestion,
  RankReasoner,
  TableCard,
  TablePart,
} from './roles/rank-reasoner.ts';
export type {
  Boundary,
  Hypotheses,
  MentionNote,
  Reading,
  UnreadWords,
} from './roles/reading.ts';
export { isUnusableReply } from './roles/unusable-reply.ts';
export type {
  AskedBack,
  BrokenQuery,
  Draw,
  EngineReading,
  JudgedCandidate,
  NotWritten,
  OddQuery,
  Reflection,
  ResearchCall,
  ResearchResult,
  ResearchView,
  WriteQuestion,
  WriteReasoner,
  WrittenQuery,
} from './roles/write-reasoner.ts';
