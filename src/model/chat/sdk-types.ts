/** The AI SDK's contract of a provider's model, by the one package of it that is always there. */
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';

export type SdkModel = ReturnType<OpenAICompatibleProvider['chatModel']>;
export type SdkOptions = Parameters<SdkModel['doGenerate']>[0];
export type SdkMessage = SdkOptions['prompt'][number];
export type SdkReply = Awaited<ReturnType<SdkModel['doGenerate']>>;
export type SdkOwnOptions = NonNullable<SdkOptions['providerOptions']>;
