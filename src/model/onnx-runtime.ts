/** What we call of `onnxruntime-node`, an optional package whose types are therefore not there. */

export interface OrtTensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** Made by the runtime, only passed on. */
export type OrtInput = object;

export interface OrtSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** Since 1.22. */
  readonly inputMetadata?: readonly { readonly name: string; readonly type?: string }[];
  run(feeds: Readonly<Record<string, OrtInput>>): Promise<Readonly<Record<string, OrtTensor>>>;
}

export interface OrtRuntime {
  readonly InferenceSession: {
    create(path: string, options: Readonly<Record<string, unknown>>): Promise<OrtSession>;
  };
  readonly Tensor: new (type: string, data: Int32Array | BigInt64Array, dims: readonly number[]) => OrtInput;
}

export function isRuntime(value: unknown): value is OrtRuntime {
  return (
    typeof value === 'object' &&
    value !== null &&
    'InferenceSession' in value &&
    typeof value.InferenceSession === 'function' &&
    'create' in value.InferenceSession &&
    'Tensor' in value
  );
}
