import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import openJpeg from '@cornerstonejs/codec-openjpeg/decodewasmjs'

/** Runs in a worker thread, also directly from TypeScript: its imports must work with type stripping alone. */

export interface Jpeg2000Task {
  readonly stream: Uint8Array
  /** dimensions in the header */
  readonly width: number
  readonly height: number
  readonly channels: number
}

const maxMemoryBytes = 256 * 1024 * 1024
const pageBytes = 65_536

/** Instantiates OpenJPEG (WebAssembly) with bounded memory; beyond the bound decoding fails. */
function instantiate(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => unknown): WebAssembly.Exports {
  const binary = readFileSync(createRequire(import.meta.url).resolve('@cornerstonejs/codec-openjpeg/decodewasm'))
  const instance = new WebAssembly.Instance(new WebAssembly.Module(binary), imports)
  for (const memory of Object.values(instance.exports).filter((each) => each instanceof WebAssembly.Memory)) {
    const grow = memory.grow.bind(memory)
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * pageBytes > maxMemoryBytes) throw new RangeError('the decoder exceeds its memory limit')
      return grow(pages)
    }
  }
  receive(instance)
  return instance.exports
}

/** @returns red, green and blue of each pixel; undefined if it cannot be decoded or does not match its header */
async function decode({ stream, width, height, channels }: Jpeg2000Task): Promise<Uint8Array | undefined> {
  const { J2KDecoder } = await openJpeg({ instantiateWasm: instantiate, print: () => undefined, printErr: () => undefined })
  const decoder = new J2KDecoder()
  decoder.getEncodedBuffer(stream.length).set(stream)
  decoder.decode()
  const frame = decoder.getFrameInfo()
  const samples = decoder.getDecodedBuffer()
  if (frame.width !== width || frame.height !== height || frame.componentCount !== channels) return undefined
  if (samples.length !== width * height * channels) return undefined
  return channels === 3
    ? Uint8Array.from(samples)
    : Uint8Array.from({ length: samples.length * 3 }, (_, at) => samples[Math.floor(at / 3)] ?? 0)
}

// the creator of the thread passes this type
parentPort?.postMessage(await decode(workerData as Jpeg2000Task).catch(() => undefined))
