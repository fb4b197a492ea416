import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Two photographs of one person. */
export interface TwoPhotographs {
  readonly selfie: Uint8Array
  readonly printed: Uint8Array
}

const isPhotograph = (name: string): boolean => /\.(jpe?g|png|webp)$/i.test(name)

/**
 * The people of a folder: a folder each, with two or more photographs, of which the first two by name count.
 * @throws {Error} when there are fewer than two people: nobody could be taken for another one
 */
export async function peopleIn(folder: string): Promise<readonly TwoPhotographs[]> {
  const people: TwoPhotographs[] = []
  if (folder === '') throw new Error('FACES_DIR must name a folder that holds a folder of photographs for each person')
  for (const person of (await readdir(folder, { withFileTypes: true })).filter((each) => each.isDirectory())) {
    const names = (await readdir(join(folder, person.name))).filter(isPhotograph).sort()
    const [selfie, printed] = names.slice(0, 2).map((name) => readFile(join(folder, person.name, name)))
    if (selfie !== undefined && printed !== undefined) people.push({ selfie: await selfie, printed: await printed })
  }
  if (people.length < 2) throw new Error(`${folder} needs at least two folders of people with two photographs each`)
  return people
}
