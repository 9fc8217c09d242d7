import type { Card, Failure, Message, Route, Turn } from '../api/contract.ts';
import type { TurnNews } from './run-turn.ts';

/** What was said and what came of it, as the page shows it. */
export interface Exchange {
  readonly key: string;
  readonly text: string;
  readonly turn: Turn;
  readonly state: 'working' | 'lost' | 'done' | 'stopped' | 'failed';
  readonly runId?: string;
  readonly route?: Route;
  readonly stages: readonly string[];
  readonly cards: readonly Card[];
  readonly quickReplies: readonly string[];
  readonly failure?: Failure;
}

export function newExchange(key: string, turn: Turn, text: string): Exchange {
  return { key, turn, text, state: 'working', stages: [], cards: [], quickReplies: [] };
}

export function exchangeOf({ id, text, route, cards, quickReplies }: Message): Exchange {
  return { key: id, text, turn: { text }, state: 'done', route, stages: [], cards, quickReplies };
}

/** The exchange after news of it. */
export function withNews(exchange: Exchange, news: TurnNews): Exchange {
  switch (news.kind) {
    case 'run':
      // A run that another server has taken up begins anew.
      return { ...exchange, runId: news.runId, stages: [], cards: [] };
    case 'route':
      return { ...exchange, state: 'working', route: news.route };
    case 'stage':
      return { ...exchange, state: 'working', stages: [...exchange.stages, news.stage] };
    case 'card':
      return { ...exchange, state: 'working', cards: [...exchange.cards, news.card] };
    case 'done':
      return { ...exchange, state: 'done', quickReplies: news.quickReplies };
    case 'error': {
      const isStopped = news.failure.code.endsWith('.cancelled');
      return { ...exchange, state: isStopped ? 'stopped' : 'failed', failure: news.failure };
    }
    case 'lost':
      return { ...exchange, state: 'lost' };
  }
}

export function isAtWork({ state }: Exchange): boolean {
  return state === 'working' || state === 'lost';
}
