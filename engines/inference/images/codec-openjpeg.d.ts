/** The part of WebAssembly in use: Node has no types for it. */
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
    /**
     * @returns the previous number of pages
     * @throws {RangeError}
     */
    grow(pages: number): number
  }
}

/** The part in use: the package has no types. */
declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  interface Decoder {
    /** Returns module memory for the code stream. */
    getEncodedBuffer(length: number): Uint8Array
    /** @throws a number if it cannot be decoded */
    decode(): void
    getFrameInfo(): { readonly width: number; readonly height: number; readonly bitsPerSample: number; readonly componentCount: number }
    /** Returns samples, pixel by pixel. */
    getDecodedBuffer(): Uint8Array
  }
  interface Options {
    readonly instantiateWasm: (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => unknown) => WebAssembly.Exports
    readonly print: (line: string) => unknown
    readonly printErr: (line: string) => unknown
  }
  export default function openJpeg(options: Options): Promise<{ readonly J2KDecoder: new () => Decoder }>
}
