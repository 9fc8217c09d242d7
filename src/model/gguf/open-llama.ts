/** The runtime and the weights of a GGUF file. Imported in processes of their own only. */
import { pathToFileURL } from 'node:url';
import { CandorError } from '../../errors.ts';
import type { GgufSpec } from './gguf-protocol.ts';
import { isLlamaRuntime, type Llama, type LlamaModel, type LlamaRuntime } from './llama-runtime.ts';

const LINES_KEPT = 3;

export interface OpenLlama {
  readonly runtime: LlamaRuntime;
  readonly llama: Llama;
  readonly model: LlamaModel;
}

/** Throws `model.package-missing` where the native part cannot be loaded, `model.invalid` for a file it refuses. */
export async function openLlama(spec: GgufSpec): Promise<OpenLlama> {
  const complaints: string[] = [];
  const { runtime, llama } = await startRuntime(spec, (level, message) => {
    if (level === 'error' || level === 'fatal') complaints.push(message.trim());
  });
  try {
    const model = await llama.loadModel({
      modelPath: spec.file,
      checkTensors: true,
      ...(spec.useGpu ? {} : { gpuLayers: 0 }),
    });
    return { runtime, llama, model };
  } catch (error) {
    const reasons = [
      ...complaints.slice(0, LINES_KEPT),
      error instanceof Error ? error.message : String(error),
    ];
    throw new CandorError('model.invalid', `${spec.file} cannot be loaded: ${reasons.join('; ')}`);
  }
}

async function startRuntime(
  spec: GgufSpec,
  logger: (level: string, message: string) => void,
): Promise<{ readonly runtime: LlamaRuntime; readonly llama: Llama }> {
  try {
    const runtime: unknown = { ...(await import(pathToFileURL(spec.runtime).href)) };
    if (!isLlamaRuntime(runtime)) throw new Error('it is not the version that is known');
    const llama = await runtime.getLlama({
      // It may neither compile nor download: what is not installed is an error.
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      gpu: spec.useGpu ? 'auto' : false,
      logger,
      ...(spec.threads === undefined ? {} : { maxThreads: spec.threads }),
    });
    return { runtime, llama };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CandorError(
      'model.package-missing',
      `node-llama-cpp at ${spec.runtime} cannot be used: ${reason}`,
    );
  }
}
