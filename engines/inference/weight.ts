/** A stored tensor. With `quantization`: one byte per value, value = byte * scale + min; otherwise 32-bit floats, little endian. */
export interface Weight {
  readonly shape: readonly number[]
  readonly raw: Uint8Array
  readonly quantization?: { readonly scale: number; readonly min: number } | undefined
}

/** Returns the values of a tensor in stored order. */
export function valuesOf({ raw, quantization }: Weight): Float32Array {
  if (quantization !== undefined) return Float32Array.from(raw, (byte) => byte * quantization.scale + quantization.min)
  return new Float32Array(Uint8Array.from(raw).buffer)
}
