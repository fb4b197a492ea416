/** One tensor as stored. `quantization` present: one byte each, value = byte * scale + min; absent: 32 bits each, little endian. */
export interface Weight {
  readonly shape: readonly number[]
  readonly raw: Uint8Array
  readonly quantization?: { readonly scale: number; readonly min: number } | undefined
}

/** The numbers of a tensor, in the order stored. */
export function valuesOf({ raw, quantization }: Weight): Float32Array {
  if (quantization !== undefined) return Float32Array.from(raw, (byte) => byte * quantization.scale + quantization.min)
  return new Float32Array(Uint8Array.from(raw).buffer)
}
