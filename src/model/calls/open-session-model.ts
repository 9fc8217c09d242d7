import type { LanguageModel } from '../language-model.ts';
import { type LanguageModelSettings, openLanguageModel } from '../open-language-model.ts';
import { RETRY_DEFAULTS } from '../retry-transient.ts';
import { keepReplies } from './keep-replies.ts';
import { recordCalls, replayCalls } from './record-calls.ts';
import { traced } from './traced.ts';
import { withRetries } from './with-retries.ts';
import { withSlots } from './with-slots.ts';

export interface SessionModelSettings extends LanguageModelSettings {
  /** Of one try. */
  readonly timeoutMs: number;
  readonly requestsAtOnce: number;
  /** Folder of kept replies; absent: none are kept. */
  readonly cache?: string;
  readonly record?: string;
  /** Folder of recordings that answer in place of the service. */
  readonly replay?: string;
  readonly traceContent?: boolean;
}

export interface SessionModelOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onNotice?: (message: string) => void;
}

/**
 * A model as a session uses it; whoever opens it closes it. From the outside in: a span, a kept reply, a recording, a place
 * among the calls at once, retries, the service. What one question may use is `startBudget`’s. Throws what
 * `openLanguageModel` throws.
 */
export async function openSessionModel(
  settings: SessionModelSettings,
  { signal, onNotice }: SessionModelOptions = {},
): Promise<LanguageModel> {
  const { timeoutMs, requestsAtOnce, cache, record, replay, traceContent = false } = settings;
  const service = await openLanguageModel(settings, signal);
  const asked =
    replay === undefined
      ? withSlots(withRetries(service, { ...RETRY_DEFAULTS, timeoutMs }), requestsAtOnce)
      : replayCalls(service, replay);
  const recorded = record === undefined ? asked : recordCalls(asked, record);
  const kept =
    cache === undefined
      ? recorded
      : keepReplies(recorded, { directory: cache, ...(onNotice && { onNotice }) });
  return traced(kept, { hasContent: traceContent });
}
