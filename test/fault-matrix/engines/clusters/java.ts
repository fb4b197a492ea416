import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const folder = '/usr/lib/jvm'

/** @returns JAVA_HOME of a version   @throws {Error} when it is not installed */
export async function javaHome(version: number): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  const home = names
    .filter((name) => name.split(/[^0-9]+/).includes(`${version}`))
    .map((name) => join(folder, name))
    .find((place) => existsSync(join(place, 'bin/java')))
  if (home === undefined) throw new Error(`there is no Java ${version} in ${folder}`)
  return home
}
