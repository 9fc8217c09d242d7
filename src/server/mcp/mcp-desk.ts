import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Answer } from '../../answer.ts';
import type { Session } from '../../session.ts';

/** What the tools of one person share, from call to call. */
export interface McpDesk {
  readonly session: Session;
  /** Answers of this process, the newest last: what `explain_answer` explains. */
  readonly answers: Map<string, Answer>;
  /** Hears of every bug, with the id that the client was told in place of it. */
  readonly onBug: (requestId: string, error: Error) => void;
  readonly newId: () => string;
  /** SQL of their own; the tool is not there for others. */
  readonly mayRunSql: boolean;
  /** Counts a question and enters it in the audit log; throws `server.quota`. */
  readonly onQuestion: () => void;
  readonly onAnswer: (answer: Answer) => void;
}

/** What a tool is registered with. */
export interface ToolBench {
  readonly server: McpServer;
  readonly desk: McpDesk;
}

export type ToolContext = ServerContext;

const MOST_ANSWERS = 500;

export function keepAnswer({ answers }: McpDesk, answer: Answer): void {
  answers.set(answer.recordId, answer);
  const [oldest] = answers.keys();
  if (answers.size > MOST_ANSWERS && oldest !== undefined) answers.delete(oldest);
}
