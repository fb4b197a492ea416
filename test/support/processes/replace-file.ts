import { rename, writeFile } from 'node:fs/promises'

/** Replaces a file atomically, so that watchers never see an incomplete one. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content)
  await rename(`${file}.new`, file)
}
