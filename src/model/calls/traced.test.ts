import { type Span, type SpanStatus, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CandorError } from '../../errors.ts';
import type { LanguageModel } from '../language-model.ts';
import { traced } from './traced.ts';

interface Seen {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  status?: SpanStatus;
  ended: number;
}

let seen: Seen[];
beforeEach(() => {
  seen = [];
  trace.setGlobalTracerProvider(providerOf(seen));
});
afterEach(() => trace.disable());

/** Writes down what a span is told. */
function spanOf(one: Seen): Span {
  const span: Span = {
    spanContext: () => ({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 1 }),
    setAttribute: (key, value) => Object.assign(one.attributes, { [key]: value }) && span,
    setAttributes: (all) => Object.assign(one.attributes, all) && span,
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    setStatus: (status) => {
      one.status = status;
      return span;
    },
    updateName: () => span,
    end: () => {
      one.ended += 1;
    },
    isRecording: () => true,
    recordException: (error) => Object.assign(one.attributes, { exception: String(error) }),
  };
  return span;
}

function providerOf(all: Seen[]): TracerProvider {
  const start = (name: string): Span => {
    const one: Seen = { name, attributes: {}, ended: 0 };
    all.push(one);
    return spanOf(one);
  };
  const tracer: Tracer = {
    startSpan: start,
    // The function comes last, after options and context, if any.
    startActiveSpan: (name: string, ...rest: unknown[]) => {
      const run = rest.at(-1);
      if (typeof run !== 'function') throw new Error('no function');
      return run(start(name));
    },
  };
  return { getTracer: () => tracer };
}

const MODEL: LanguageModel = {
  id: 'openai/org/some-model@api.example:443',
  host: 'api.example:443',
  chat: async () => ({
    text: 'the reply',
    toolCalls: [],
    usage: { promptTokens: 10, completionTokens: 2 },
    finish: 'stop',
  }),
};
const ASKED = {
  role: 'write',
  messages: [{ role: 'user' as const, content: 'the question' }],
  temperature: 0.5,
  maxTokens: 50,
};

describe('the span of a call', () => {
  it('has the names of the GenAI conventions, and no content', async () => {
    expect((await traced(MODEL).chat(ASKED)).text).toBe('the reply');
    expect(seen).toEqual([
      {
        name: 'chat org/some-model',
        ended: 1,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': 'org/some-model',
          'gen_ai.request.temperature': 0.5,
          'gen_ai.request.max_tokens': 50,
          'gen_ai.usage.input_tokens': 10,
          'gen_ai.usage.output_tokens': 2,
          'gen_ai.response.finish_reasons': ['stop'],
          'server.address': 'api.example',
          'server.port': 443,
          'candor.model.role': 'write',
        },
      },
    ]);
  });

  it('has the content where it is wanted', async () => {
    await traced(MODEL, { hasContent: true }).chat(ASKED);
    expect(seen[0]?.attributes['gen_ai.input.messages']).toContain('the question');
    expect(seen[0]?.attributes['gen_ai.output.messages']).toContain('the reply');
  });

  it('says of a reply that was not asked for that it was not', async () => {
    const reply = { ...(await MODEL.chat(ASKED)), isReplayed: true };
    await traced({ ...MODEL, host: null, chat: async () => reply }).chat(ASKED);
    expect(seen[0]?.attributes).toMatchObject({ 'candor.model.replayed': true });
    expect(seen[0]?.attributes).not.toHaveProperty('server.address');
  });

  it('says what the service turned out not to take', async () => {
    const reply = { ...(await MODEL.chat(ASKED)), leftOut: ['it does not take seed'] };
    await traced({ ...MODEL, chat: async () => reply }).chat(ASKED);
    expect(seen[0]?.attributes).toMatchObject({ 'candor.model.left_out': ['it does not take seed'] });
  });

  it.each([
    ['its code', new CandorError('model.refused', 'the question'), 'model.refused'],
    ['no word', new Error('the question'), 'internal'],
  ])('of a failure says %s, and is ended once', async (_, error, type) => {
    const failing = traced({ ...MODEL, chat: () => Promise.reject(error) }, { hasContent: false });
    await expect(failing.chat(ASKED)).rejects.toBe(error);
    expect(seen[0]).toMatchObject({
      ended: 1,
      status: { message: type },
      attributes: { 'error.type': type },
    });
    expect(JSON.stringify(seen)).not.toContain('the question');
  });

  it('is not needed', async () => {
    trace.disable();
    expect((await traced(MODEL).chat(ASKED)).text).toBe('the reply');
  });
});
