/** What Node has of WebAssembly and its types do not tell. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Memory {
    readonly buffer: SharedArrayBuffer;
    constructor(limits: { readonly initial: number; readonly maximum: number; readonly shared: true });
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>;
    constructor(module: Module, imports: { readonly env: { readonly memory: Memory } });
  }
}
