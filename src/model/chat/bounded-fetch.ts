import { CandorError } from '../../errors.ts';
import { shownUrl } from '../endpoint-url.ts';
import { faultWithin, postJson } from '../post-json.ts';
import { faultInReply } from './fault-in-reply.ts';
import { isEventStream, readEventStream } from './read-event-stream.ts';

/** Of a whole reply: 32,000 tokens with their log probabilities are about 4 MB, without them 0.2. */
const REPLY_BYTES = 2 * 2 ** 20;
const REPLY_BYTES_WITH_PROBABILITIES = 16 * 2 ** 20;

/**
 * A `fetch` for the packages that speak the services' forms. It follows no redirect, reads no more than a reply may be,
 * and judges status and body itself: those packages never see a refusal, whose words they would pass on. Throws what
 * `postJson` throws, and `model.bad-reply` for what is not JSON.
 */
export function boundedFetch(model: string): typeof fetch {
  return async (target, init) => {
    const url = new URL(target instanceof Request ? target.url : target);
    const headers = new Headers(init?.headers);
    headers.set('user-agent', 'candor');
    const sent = String(init?.body);
    const sentBack = await postJson({
      url,
      headers: Object.fromEntries(headers),
      body: sent,
      model,
      maxBytes: sent.includes('"logprobs":true') ? REPLY_BYTES_WITH_PROBABILITIES : REPLY_BYTES,
      signal: init?.signal ?? undefined,
    });
    // A mark of the order of bytes is none of the text.
    const text = sentBack.replace(/^\uFEFF/, '');
    const fault = faultInReply(text);
    if (fault !== undefined) throw faultWithin({ url, model }, fault);
    const body = isEventStream(text) ? (readEventStream(text) ?? text) : text;
    if (!isJson(body))
      throw new CandorError(
        'model.bad-reply',
        isEventStream(body)
          ? `${shownUrl(url)} answered 200 with a stream of events that breaks off or has another form`
          : `${shownUrl(url)} answered 200 with something that is not JSON`,
      );
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
