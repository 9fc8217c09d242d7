/** What a mind does for the pipeline: today the grounded engine. */
export { adjacentPhrases } from './adjacent-phrases.ts';
export type {
  AnsweredAbout,
  AnswerFlag,
  AnswerVerdict,
  AskedAbout,
  AssistQuestion,
  AssistReasoner,
  DescribedQuery,
  FollowUpKind,
  Intent,
  JudgedAnswer,
  QueryDescription,
  Route,
  TalkState,
} from './assist-reasoner.ts';
export type { AcceptVerdict, BenchReasoner, RewordQuestion } from './bench-reasoner.ts';
export type {
  DescribeOptions,
  Statement,
  TableDescription,
  TableToDescribe,
} from './describe-reasoner.ts';
export { buildKnowledge, type GroundedKnowledge, hypothesise, inContext } from './grounded/index.ts';
export { COLUMN_FEATURES, type ColumnMatrix, columnMatrix } from './grounded/linking/column-features.ts';
export { CONTEXT_FEATURES, formOpinion, withContext } from './grounded/linking/context-features.ts';
export {
  GROUNDED_LINK_DEFAULTS,
  type GroundedLinkSettings,
  groundedLinkReasoner,
} from './grounded/linking/grounded-link-reasoner.ts';
export { keepTables } from './grounded/linking/keep-tables.ts';
export { FOREST_FILES, openLinkForests } from './grounded/linking/open-forests.ts';
export { type PreparedLinker, prepareLinker, rankedQuestion } from './grounded/linking/prepare-linker.ts';
export { type QuestionWords, readQuestionWords } from './grounded/linking/question-words.ts';
export {
  type LinkForests,
  rankSchema,
  type SchemaRanking,
  scoreColumns,
} from './grounded/linking/rank-schema.ts';
export type { RankedQuestion } from './grounded/linking/ranked-question.ts';
export type { RankingReason } from './grounded/linking/ranking-reasons.ts';
export {
  CHOICE_RISKS,
  type ChoiceRisks,
  formSchemaOpinion,
  type SchemaChoice,
  type SchemaOpinion,
} from './grounded/linking/schema-opinion.ts';
export { TABLE_FEATURES, tableMatrix } from './grounded/linking/table-features.ts';
export { cuesAt } from './grounded/mention/cue-index.ts';
export { isRelationVerb, isVerbLike } from './grounded/mention/is-verb-like.ts';
export type { Cue } from './grounded/mention/lexicon.ts';
export { findApart } from './grounded/metric/find-apart.ts';
export { rankByRetrieval } from './grounded/rank-by-retrieval.ts';
export { type AskedModels, namedPlaces, readAsked } from './grounded/rate/asked.ts';
export { makeCandidates, type ReadQuestion } from './grounded/rate/candidate.ts';
export { mentionContext } from './grounded/rate/mention-context.ts';
export { mentionRole } from './grounded/rate/mention-role.ts';
export {
  openRatingModels,
  PROJECT_RATING_FILE,
  RATING_FILES,
  readRatingModels,
} from './grounded/rate/open-rating-models.ts';
export { type QueryTraits, queryTraits, SHAPE_PARTS, type ShapePart } from './grounded/rate/query-traits.ts';
export { questionGrams } from './grounded/rate/question-grams.ts';
export { questionSymbols } from './grounded/rate/question-symbols.ts';
export { type RatingModels, rateRow } from './grounded/rate/rate-candidates.ts';
export { readQuestion } from './grounded/rate/read-question.ts';
export { READING_FEATURES, readingFeatures } from './grounded/rate/reading-features.ts';
export { nearestWord } from './grounded/read/correct-spelling.ts';
export { findTimes, type TimeWindow } from './grounded/read/find-times.ts';
export { lemmaOf, stemOf } from './grounded/read/lemma.ts';
export { ordinalNumber } from './grounded/read/number-words.ts';
export { oppositeOf } from './grounded/read/opposites.ts';
export { otherSpellings } from './grounded/read/other-spellings.ts';
export { splitName } from './grounded/read/split-name.ts';
export { synonymsOf } from './grounded/read/synonyms.ts';
export { timeGrain } from './grounded/read/time-grains.ts';
export { type Token, tokenise } from './grounded/read/tokenise.ts';
export { type Unit, unitNamed } from './grounded/read/units.ts';
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
} from './grounded/vocabulary/index.ts';
export type {
  HypothesisAxis,
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  NamedField,
  NamedTable,
  RefineCall,
  RefineResult,
  RefineTool,
  RefineView,
  SchemaView,
  UncertainItem,
  ViewedTable,
} from './link-reasoner.ts';
export { assistByModel } from './llm/assist-by-model.ts';
export { benchByModel } from './llm/bench-by-model.ts';
export { describedTokens, describeTableByModel } from './llm/describe-by-model.ts';
export { literalsOf } from './llm/literals-of.ts';
export { modelReasoner } from './llm/model-reasoner.ts';
export { normaliseByModel } from './llm/normalise-by-model.ts';
export { PROMPT_VERSIONS } from './llm/prompt-versions.ts';
export { describeTablePrompt } from './llm/prompts/describe-table-prompt.ts';
export { rankByModel } from './llm/rank-by-model.ts';
export { readJsonText } from './llm/read-json-text.ts';
export { MODEL_REASONER_DEFAULTS, type ModelReasonerSettings, type Sampling } from './llm/sampling.ts';
export { HINT_MARK, type WriterModels, writeByModel } from './llm/write-by-model.ts';
export type {
  NormaliseQuestion,
  NormaliseReasoner,
  QuestionValidity,
  TranslatedQuestion,
  ValidatedQuestion,
} from './normalise-reasoner.ts';
export { disclosing } from './privacy/disclosing.ts';
export { disclosureOf } from './privacy/disclosure-of.ts';
export { privately } from './privacy/privately.ts';
export { type Leak, type ValueProbe, valueProbe } from './privacy/value-probe.ts';
export type {
  ColumnCard,
  FoundSigns,
  RankQuestion,
  RankReasoner,
  ScoredTable,
  TableCard,
  TablePart,
  TieredColumn,
} from './rank-reasoner.ts';
export type {
  Boundary,
  Hypotheses,
  MentionNote,
  Reading,
  SeenBoundary,
  UnreadWords,
} from './reading.ts';
export {
  DEFAULT_EXPANSIONS,
  EXPANSION_NAMES,
  type ExpansionName,
  type ReplaySettings,
  replayReasoner,
  type ScoredField,
} from './replay/index.ts';
export { isUnusableReply } from './unusable-reply.ts';
export type {
  AskedBack,
  BrokenQuery,
  Draw,
  EngineReading,
  ExamplePair,
  JudgedCandidate,
  NotWritten,
  OddQuery,
  Reflection,
  ResearchCall,
  ResearchResult,
  ResearchView,
  WriteQuestion,
  WriteReasoner,
  WriteReply,
  WrittenOption,
  WrittenQuery,
} from './write-reasoner.ts';
