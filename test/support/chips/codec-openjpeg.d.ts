/** The part that tests use: the package has no types of its own. */
declare module '@cornerstonejs/codec-openjpeg/wasmjs' {
  interface Encoder {
    /** memory of the module to put pixels into */
    getDecodedBuffer(frame: {
      readonly width: number
      readonly height: number
      readonly bitsPerSample: number
      readonly componentCount: number
      readonly isSigned: boolean
      readonly isUsingColorTransform: boolean
    }): Uint8Array
    setQuality(lossless: boolean, rate: number): void
    encode(): void
    getEncodedBuffer(): Uint8Array
  }
  interface Options {
    readonly print: (line: string) => unknown
    readonly printErr: (line: string) => unknown
  }
  export default function openJpeg(options: Options): Promise<{ readonly J2KEncoder: new () => Encoder }>
}
