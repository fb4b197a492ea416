/** The part of WebAssembly that we use: Node has no types for it. */
declare namespace WebAssembly {
  type Imports = Readonly<Record<string, unknown>>
  type Exports = Readonly<Record<string, unknown>>
  class Module {
    constructor(binary: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Exports
  }
  class Memory {
    readonly buffer: ArrayBuffer
    /** @returns pages before   @throws {RangeError} */
    grow(pages: number): number
  }
}

/** The part that we use: the package has no types of its own. */
declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  interface Decoder {
    /** memory of the module to put a code stream into */
    getEncodedBuffer(length: number): Uint8Array
    /** @throws a number, for what cannot be decoded */
    decode(): void
    getFrameInfo(): { readonly width: number; readonly height: number; readonly bitsPerSample: number; readonly componentCount: number }
    /** samples, pixel by pixel */
    getDecodedBuffer(): Uint8Array
  }
  interface Options {
    readonly instantiateWasm: (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => unknown) => WebAssembly.Exports
    readonly print: (line: string) => unknown
    readonly printErr: (line: string) => unknown
  }
  export default function openJpeg(options: Options): Promise<{ readonly J2KDecoder: new () => Decoder }>
}
