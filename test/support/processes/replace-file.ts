import { rename, writeFile } from 'node:fs/promises'

/** In one step, as those who watch a file must see it: one that is being written is empty for a moment. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content)
  await rename(`${file}.new`, file)
}
