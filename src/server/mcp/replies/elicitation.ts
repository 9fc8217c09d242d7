/** Questions back through a form of the client, which shows it to its person. */
import { createHash } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Clarify, FollowUp } from '../../../answer.ts';

const KEY = 'reply';
/** What an answer to a question back may have. */
const MOST_WORDS = 200;

const CAPABILITIES = z.object({
  elicitation: z.object({ form: z.unknown().optional(), url: z.unknown().optional() }).optional(),
});

/**
 * Whether the client can show a form; one that names no kind of form shows this one. Newer clients say so with each request,
 * older ones once, when they connect.
 */
export function canElicit(server: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const told = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  const elicitation = CAPABILITIES.safeParse(told).data?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Asks the person; the client calls again with what was said, and with the id of the record. */
export function elicit({ ask, options, recordId }: Clarify | FollowUp): InputRequiredResult {
  const labels = [...new Set(options.map(({ label }) => label))];
  const properties: ElicitRequestFormParams['requestedSchema']['properties'] = {
    ...(labels.length > 0 && { choice: { type: 'string', title: 'Choose', enum: labels } }),
    words: { type: 'string', title: 'Or in your own words', maxLength: MOST_WORDS },
  };
  return inputRequired({
    requestState: recordId,
    inputRequests: {
      [KEY]: inputRequired.elicit({ message: ask, requestedSchema: { type: 'object', properties } }),
    },
  });
}

/** Asks the person whether a query may run; the client calls again with what was said. */
export function elicitApproval(sql: string): InputRequiredResult {
  const message = `May this query run?\n\n${sql}`;
  return inputRequired({
    requestState: stateOf(sql),
    inputRequests: {
      [KEY]: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } }),
    },
  });
}

/**
 * What the person said to this very query; undefined for a first call. What comes of the client is theirs: who holds their key may
 * run the query over HTTP as well.
 */
export function elicitedApproval({ mcpReq }: ServerContext, sql: string): 'yes' | 'no' | undefined {
  if (mcpReq.requestState() !== stateOf(sql)) return undefined;
  const said = inputResponse(mcpReq.inputResponses, KEY);
  return said.kind === 'elicit' && said.action === 'accept' ? 'yes' : 'no';
}

function stateOf(sql: string): string {
  return `run ${createHash('sha256').update(sql).digest('hex')}`;
}

export interface ElicitedReply {
  readonly recordId: string;
  /** Absent: the person would not say. */
  readonly reply?: string;
}

/**
 * What came back of a question back; undefined for a first call. The id of the record comes from the client, which may name
 * any record to `ask` as well.
 */
export function elicitedReply({ mcpReq }: ServerContext): ElicitedReply | undefined {
  const recordId = mcpReq.requestState();
  if (typeof recordId !== 'string') return undefined;
  const said = inputResponse(mcpReq.inputResponses, KEY);
  if (said.kind !== 'elicit' || said.action !== 'accept') return { recordId };
  const { words, choice } = said.content ?? {};
  const reply = [words, choice].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof reply === 'string' ? { recordId, reply: reply.slice(0, MOST_WORDS) } : { recordId };
}
