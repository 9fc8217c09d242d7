/** What the server says, by its own contracts. Types alone: none of its code comes along. */
import type { z } from 'zod';
import type { ANSWER } from '../../../src/server/contract/answer-contract.ts';
import type { AREA, AREA_LIST } from '../../../src/server/contract/area-contract.ts';
import type { CARD, MESSAGE, ROUTE, TURN } from '../../../src/server/contract/card-contract.ts';
import type { TABLE, TABLE_LIST } from '../../../src/server/contract/catalog-contract.ts';
import type { CHAT, KEPT_CHAT, SHARED_CHAT } from '../../../src/server/contract/chat-contract.ts';
import type { FAILURE } from '../../../src/server/contract/failure-contract.ts';
import type {
  CHANGED_FILE,
  CHECKED_FILE,
  FILE_LIST,
  PROJECT_FILE,
} from '../../../src/server/contract/file-contract.ts';
import type { JOB } from '../../../src/server/contract/job-contract.ts';
import type {
  TEST_CASE,
  TEST_CHOICE,
  TEST_PROGRESS,
  TEST_REPORT,
} from '../../../src/server/contract/test-contract.ts';
import type {
  KEPT_RECORD,
  RECORD_LIST,
  REPLAYED,
} from '../../../src/server/routes/conversation/record-routes.ts';
import type { SETTINGS } from '../../../src/server/routes/operation/settings-routes.ts';
import type { GRAPH } from '../../../src/server/routes/project/graph-routes.ts';
import type { FOUND_VALUES } from '../../../src/server/routes/project/search-routes.ts';

export type Answer = z.infer<typeof ANSWER>;
export type Answered = Extract<Answer, { kind: 'answered' }>;
export type Clarify = Extract<Answer, { kind: 'clarify' }>;
export type FollowUp = Extract<Answer, { kind: 'follow_up' }>;
export type Reject = Extract<Answer, { kind: 'reject' }>;
export type Abstain = Extract<Answer, { kind: 'abstain' }>;
export type Assumption = Answered['assumptions'][number];
export type ChoiceEffect = NonNullable<NonNullable<Assumption['alternatives']>[number]['effect']>;
export type Evidence = Answered['evidence'][number];
export type WordUse = NonNullable<Answered['words']>[number];
export type Span = WordUse['span'];
export type RiskyPart = NonNullable<Answered['risk']>['units'][number];
export type Cell = Answered['rows'][number][number];
export type Rows = Answered['rows'];

export type Card = z.infer<typeof CARD>;
export type TableCard = Extract<Card, { kind: 'tables' }>['tables'][number];
export type Fix = Extract<Card, { kind: 'fix' }>['fix'];
export type Route = z.infer<typeof ROUTE>;
export type Message = z.infer<typeof MESSAGE>;
export type Turn = z.input<typeof TURN>;
export type Failure = z.infer<typeof FAILURE>['error'];

export type TableList = z.infer<typeof TABLE_LIST>;
export type ListedTable = TableList['tables'][number];
export type TablePage = z.infer<typeof TABLE>;
export type ListedColumn = TablePage['columns'][number];
export type Profile = NonNullable<ListedColumn['profile']>;
export type Graph = z.infer<typeof GRAPH>;
export type GraphNode = Graph['nodes'][number];
export type FoundValues = z.infer<typeof FOUND_VALUES>;
export type AreaList = z.infer<typeof AREA_LIST>;
export type Area = z.infer<typeof AREA>;
export type Cluster = AreaList['clusters'][number];

export type FileList = z.infer<typeof FILE_LIST>;
export type ListedFile = FileList['files'][number];
export type ProjectFile = z.infer<typeof PROJECT_FILE>;
export type FolderName = ProjectFile['folder'];
export type CheckedFile = z.infer<typeof CHECKED_FILE>;
export type FileProblem = CheckedFile['problems'][number];
export type ChangedFile = z.infer<typeof CHANGED_FILE>;

export type RecordList = z.infer<typeof RECORD_LIST>;
export type ListedRecord = RecordList['records'][number];
export type KeptRecord = z.infer<typeof KEPT_RECORD>;
export type Replayed = z.infer<typeof REPLAYED>;

export type Job = z.infer<typeof JOB>;
export interface JobList {
  readonly jobs: readonly Job[];
}

export type Settings = z.infer<typeof SETTINGS>;
export type TestCase = z.infer<typeof TEST_CASE>;
export type TestChoice = z.input<typeof TEST_CHOICE>;
export type TestProgress = z.infer<typeof TEST_PROGRESS>;
export type TestReport = z.infer<typeof TEST_REPORT>;
export type TestResult = TestReport['results'][number];
export type TestTurn = TestResult['turns'][number];

export interface TestList {
  readonly total: number;
  readonly tags: readonly string[];
  readonly cases: readonly TestCase[];
}

export type Chat = z.infer<typeof CHAT>;
export type KeptChat = z.infer<typeof KEPT_CHAT>;
export type SharedChat = z.infer<typeof SHARED_CHAT>;
export type SharedMessage = SharedChat['messages'][number];

/** What direct SQL comes to. */
export type SqlOutcome =
  | {
      readonly kind: 'answered';
      readonly sql: string;
      readonly columns: readonly string[];
      readonly rows: Rows;
      readonly truncatedBy: 'rows' | 'bytes' | null;
      readonly notices: NonNullable<Answered['notices']>;
    }
  | { readonly kind: 'planned'; readonly sql: string }
  | {
      readonly kind: 'reject';
      readonly sql: string;
      readonly message: string;
      readonly nearest: readonly string[];
    };
