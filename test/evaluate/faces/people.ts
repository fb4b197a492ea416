import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Two photographs of one person. */
export interface TwoPhotographs {
  /** Group from the list beside the folder: women, men, … */
  readonly group?: string | undefined
  readonly selfie: Uint8Array
  readonly printed: Uint8Array
}

export const isPhotograph = (name: string): boolean => /\.(jpe?g|png|webp)$/i.test(name)

/** @param file - a line `person,group` per person, named like its folder; empty: without groups */
async function groupsIn(file: string): Promise<ReadonlyMap<string, string>> {
  if (file === '') return new Map()
  const rows = (await readFile(file, 'utf8')).split(/\r?\n/).map((line) => line.split(','))
  return new Map(rows.flatMap(([person, group]) => (person && group ? [[person, group] as const] : [])))
}

/**
 * Lists the people of a folder: one folder each with two or more photographs, of which the first two by name are used.
 * @throws {Error} when there are fewer than two people
 */
export async function peopleIn(folder: string, groupsFile = ''): Promise<readonly TwoPhotographs[]> {
  const groups = await groupsIn(groupsFile)
  const people: TwoPhotographs[] = []
  if (folder === '') throw new Error('FACES_DIR must name a folder that holds a folder of photographs for each person')
  for (const person of (await readdir(folder, { withFileTypes: true })).filter((each) => each.isDirectory())) {
    const names = (await readdir(join(folder, person.name))).filter(isPhotograph).sort()
    const [selfie, printed] = names.slice(0, 2).map((name) => readFile(join(folder, person.name, name)))
    if (selfie !== undefined && printed !== undefined)
      people.push({ group: groups.get(person.name), selfie: await selfie, printed: await printed })
  }
  if (people.length < 2) throw new Error(`${folder} needs at least two folders of people with two photographs each`)
  return people
}
