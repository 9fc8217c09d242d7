import type { Card, Failure, Route, Turn } from '../api/contract.ts';
import { followRun } from '../api/follow-run.ts';
import type { ServerEvent } from '../api/read-events.ts';

/** What a turn comes to, as it comes. */
export type TurnNews =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'route'; readonly route: Route }
  | { readonly kind: 'stage'; readonly stage: string }
  | { readonly kind: 'card'; readonly card: Card }
  | { readonly kind: 'done'; readonly messageId: string; readonly quickReplies: readonly string[] }
  | { readonly kind: 'error'; readonly failure: Failure }
  | { readonly kind: 'lost' };

/**
 * Says something in a chat and tells what comes of it, over a lost connection as well. Throws `ApiError` where the turn is refused or
 * the run is gone for good.
 */
export async function* runTurn(chatId: string, turn: Turn, signal: AbortSignal): AsyncGenerator<TurnNews> {
  const begin = {
    path: `/v1/chats/${encodeURIComponent(chatId)}/turns`,
    body: turn,
    headers: { 'idempotency-key': crypto.randomUUID() },
  };
  for await (const event of followRun(begin, signal)) {
    const news = event === 'lost' ? ({ kind: 'lost' } as const) : newsOf(event);
    if (news !== undefined) yield news;
  }
}

function newsOf({ name, data }: ServerEvent): TurnNews | undefined {
  const told = JSON.parse(data);
  switch (name) {
    case 'run':
    case 'route':
    case 'stage':
    case 'card':
    case 'done':
      return { kind: name, ...told };
    case 'error':
      return { kind: 'error', failure: told };
    default:
      return undefined;
  }
}
