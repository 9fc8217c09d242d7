import type { LanguageModel } from '../language-model.ts';
import { type LanguageModelSettings, openLanguageModel } from '../open-language-model.ts';
import { RETRY_DEFAULTS } from '../retry-transient.ts';
import { announced } from './announced.ts';
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
  /** From 0 up to 1, for the pauses between tries; absent: they are always the same. */
  readonly random?: () => number;
}

/**
 * A model as a session uses it; whoever opens it closes it. From the outside in: a span, a recording, a kept reply, a place
 * among the calls at once, retries, the service. What one question may use is `startBudget`’s. Throws what
 * `openLanguageModel` throws.
 */
export async function openSessionModel(
  settings: SessionModelSettings,
  { signal, onNotice, random }: SessionModelOptions = {},
): Promise<LanguageModel> {
  const { timeoutMs, requestsAtOnce, cache, record, replay, traceContent = false } = settings;
  const service = await openLanguageModel(settings, signal, onNotice);
  const jitter = random === undefined ? {} : { random };
  const asked =
    replay === undefined
      ? announced(
          withSlots(withRetries(service, { ...RETRY_DEFAULTS, timeoutMs, ...jitter }), requestsAtOnce),
        )
      : replayCalls(service, replay);
  const kept =
    cache === undefined ? asked : keepReplies(asked, { directory: cache, ...(onNotice && { onNotice }) });
  const recorded = record === undefined ? kept : recordCalls(kept, record);
  return traced(recorded, { hasContent: traceContent });
}
