import type { DelegationFileFormat } from '@civigraph/client/documents'

/** A delegation file that the user chose. */
export interface DelegationFile {
  readonly name: string
  readonly format: DelegationFileFormat
  readonly text: string
}

/** Reads a file as NDJSON or, by default, CSV, depending on its name. @throws {TypeError} when it is not UTF-8 */
export async function readDelegationFile(file: File): Promise<DelegationFile> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  return { name: file.name, format: /\.(?:ndjson|jsonl)$/i.test(file.name) ? 'NDJSON' : 'CSV', text }
}
