import { z } from 'zod';
import { isEventStream } from './read-event-stream.ts';

/** OpenRouter, LiteLLM and other proxies; also in the one choice, or as an event of a stream. */
const FAULTY = z.looseObject({
  error: z.union([z.string().min(1), z.record(z.string(), z.unknown())]).nullish(),
  choices: z
    .array(
      z.looseObject({
        error: z.record(z.string(), z.unknown()).nullish(),
        message: z.looseObject({ content: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string() }).nullish(),
});

/** Of a reply that says 200: the fault that it tells of in place of an answer, as a body with `error`; undefined where there is none. */
export function faultInReply(body: string): string | undefined {
  for (const text of eventsOf(body)) {
    const fault = faultOf(text);
    if (fault !== undefined) return JSON.stringify({ error: fault });
  }
  return undefined;
}

/** The data of each event that may tell of a fault; of anything else all of it. */
function eventsOf(body: string): readonly string[] {
  if (!isEventStream(body)) return [body];
  return [...body.matchAll(/^data:\s?(.*"error".*)$/gm)].map(([, data = '']) => data);
}

function faultOf(text: string): unknown {
  const read = FAULTY.safeParse(parseJson(text));
  if (!read.success) return undefined;
  const { error, choices, promptFeedback } = read.data;
  // Google says so where the prompt itself was stopped.
  if (promptFeedback != null) return { code: 'content_filter' };
  const [choice] = choices ?? [];
  // A warning beside an answer is no fault.
  if (choice?.message?.content) return undefined;
  const fault = error ?? choice?.error;
  return isEmpty(fault) ? undefined : fault;
}

function isEmpty(fault: unknown): boolean {
  return fault == null || (typeof fault === 'object' && Object.keys(fault).length === 0);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
