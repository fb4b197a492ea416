import type { DelegationFileFormat } from '@civigraph/client/documents'

/** A file of delegations as somebody chose it. */
export interface DelegationFile {
  readonly name: string
  readonly format: DelegationFileFormat
  readonly text: string
}

/** By its name a file is NDJSON; each other one is taken for CSV. @throws {TypeError} when it is not UTF-8 */
export async function readDelegationFile(file: File): Promise<DelegationFile> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  return { name: file.name, format: /\.(?:ndjson|jsonl)$/i.test(file.name) ? 'NDJSON' : 'CSV', text }
}
