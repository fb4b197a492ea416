/// <reference lib="esnext.float16" />

/** Encodes numbers as IEEE 754 binary16, little endian: two bytes each, about three decimal digits. */
export function toHalfPrecision(vector: Float32Array): Buffer {
  const halves = Float16Array.from(vector)
  return Buffer.from(halves.buffer, halves.byteOffset, halves.byteLength)
}

export function fromHalfPrecision(bytes: Uint8Array): Float32Array {
  // copies, since the driver may return a buffer at an odd offset
  return Float32Array.from(new Float16Array(Uint8Array.from(bytes).buffer))
}
