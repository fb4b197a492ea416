import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { codeOf } from '../../foundation/fault.ts'

/**
 * Returns the content of a file that is created once with mode 0600. Concurrent processes agree on one content: the link fails for all but the first.
 * Members that an older release did not write are added. Access by group and others is removed.
 * @returns also whether this call created the file
 */
export function createdOnce<Content extends object>(
  folder: string,
  name: string,
  schema: z.ZodType<Content>,
  make: () => Content,
): { readonly content: Content; readonly isNew: boolean } {
  const file = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mine = join(folder, `.${name}.${process.pid}.${randomBytes(4).toString('hex')}`)
  let isNew = false
  try {
    writeFileSync(mine, `${JSON.stringify(make(), null, 2)}\n`, { mode: 0o600 })
    linkSync(mine, file)
    isNew = true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(mine, { force: true })
  }
  restrictToOwner(file)
  return { content: isOlder(contentOf(file), make()) ? extended(file, schema, make) : parsedContent(file, schema), isNew }
}

/** Removes the permissions of group and others. @throws {Error} if they remain */
export function restrictToOwner(file: string): void {
  const { mode } = statSync(file)
  if ((mode & 0o077) !== 0) chmodSync(file, mode & 0o700)
}

/** Whether only whole members are missing. */
function isOlder(stored: object, made: object): boolean {
  return Object.keys(made).some((member) => !Object.hasOwn(stored, member))
}

/** Adds missing members; the first of several processes does. */
function extended<Content extends object>(file: string, schema: z.ZodType<Content>, make: () => Content): Content {
  const lock = `${file}.lock`
  const mine = `${file}.${process.pid}`
  // A lock older than 2 s belongs to a dead process.
  for (let tries = 0; tries < 100 && !locked(lock); tries++) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  try {
    const stored = contentOf(file)
    const made = make()
    if (isOlder(stored, made)) {
      rmSync(mine, { force: true })
      writeFileSync(mine, `${JSON.stringify({ ...made, ...stored }, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
      renameSync(mine, file)
    }
  } finally {
    rmSync(lock, { force: true })
  }
  return parsedContent(file, schema)
}

function locked(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch {
    return false
  }
}

function contentOf(file: string): object {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof content === 'object' && content !== null ? content : {}
}

function parsedContent<Content>(file: string, schema: z.ZodType<Content>): Content {
  const parsed = schema.safeParse(contentOf(file))
  if (!parsed.success) throw new Error(`${file} is invalid: remove it to generate new keys`)
  return parsed.data
}
