/**
 * Frees the memory of large buffers immediately instead of at the next garbage collection. External memory of megabytes per request makes V8 collect
 * its whole heap, which took half of the processor time of job intake. The buffers are empty afterwards; buffers that share their memory (slices,
 * Node's pool) are skipped. Never release a buffer that an asynchronous call may still read.
 */
export function release(...buffers: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of buffers)
    if (byteLength > 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
