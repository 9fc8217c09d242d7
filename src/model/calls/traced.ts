import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { CandorError } from '../../errors.ts';
import type { ChatReply, ChatRequest, LanguageModel } from '../language-model.ts';
import { modelFacts } from '../model-facts.ts';
import { GEN_AI } from './gen-ai-names.ts';

export interface TracedOptions {
  /** Prompts and replies go into the span; off unless somebody wants it. */
  readonly hasContent?: boolean;
}

/** A span for every call, after the GenAI conventions; without an OpenTelemetry SDK in the process it costs nothing. */
export function traced(model: LanguageModel, { hasContent = false }: TracedOptions = {}): LanguageModel {
  const [provider = 'unknown', rest = model.id] = model.id.split(/\/(.*)/s);
  const name = rest.replace(/@[^@]*$/, '');
  return {
    ...modelFacts(model),
    chat: (request) =>
      trace.getTracer('candor').startActiveSpan(`chat ${name}`, { kind: SpanKind.CLIENT }, async (span) => {
        span.setAttributes({
          [GEN_AI.operation]: 'chat',
          [GEN_AI.provider]: provider,
          [GEN_AI.requestModel]: name,
          ...placeOf(model),
          ...(request.role !== undefined && { [GEN_AI.role]: request.role }),
          ...(request.temperature !== undefined && { [GEN_AI.temperature]: request.temperature }),
          ...(request.maxTokens !== undefined && { [GEN_AI.maxTokens]: request.maxTokens }),
        });
        try {
          const reply = await model.chat(request);
          tell(span, reply);
          if (hasContent) tellContent(span, request, reply);
          return reply;
        } catch (error) {
          const type = error instanceof CandorError ? error.code : 'internal';
          span.setAttribute(GEN_AI.errorType, type);
          span.setStatus({ code: SpanStatusCode.ERROR, message: type });
          throw error;
        } finally {
          span.end();
        }
      }),
  };
}

/** Of a host with its port, `api.example:8080` or `[::1]:8080`; the port is left out where it goes without saying. */
function placeOf({ host }: LanguageModel): Attributes {
  const [, address, port] = host?.match(/^(.*?)(?::(\d+))?$/) ?? [];
  if (!address) return {};
  return { [GEN_AI.serverAddress]: address, ...(port && { [GEN_AI.serverPort]: Number(port) }) };
}

function tell(span: Span, { usage, finish, isReplayed, leftOut }: ChatReply): void {
  span.setAttributes({
    [GEN_AI.inputTokens]: usage.promptTokens,
    ...(usage.cachedTokens && { [GEN_AI.cachedTokens]: usage.cachedTokens }),
    [GEN_AI.outputTokens]: usage.completionTokens,
    ...(finish !== undefined && { [GEN_AI.finishReasons]: [finish] }),
    ...(isReplayed === true && { [GEN_AI.isReplayed]: true }),
    ...(leftOut !== undefined && { [GEN_AI.leftOut]: [...leftOut] }),
  });
}

function tellContent(span: Span, { messages }: ChatRequest, { text, toolCalls }: ChatReply): void {
  span.setAttributes({
    [GEN_AI.inputMessages]: JSON.stringify(messages),
    [GEN_AI.outputMessages]: JSON.stringify([{ role: 'assistant', content: text, toolCalls }]),
  });
}
