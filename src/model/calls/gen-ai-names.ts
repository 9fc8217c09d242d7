/** Attributes of the GenAI conventions of OpenTelemetry, which are experimental: kept here rather than in a package. */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  temperature: 'gen_ai.request.temperature',
  maxTokens: 'gen_ai.request.max_tokens',
  inputTokens: 'gen_ai.usage.input_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  errorType: 'error.type',
  /** Ours: which role of Candor asked, whether nothing was sent, and what the service does not take. */
  role: 'candor.model.role',
  isReplayed: 'candor.model.replayed',
  leftOut: 'candor.model.left_out',
} as const;
