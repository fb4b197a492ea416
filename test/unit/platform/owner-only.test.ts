import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { createdOnce } from '../../../platform/process/created-once.ts'
import { folderProblem } from '../../../platform/process/start-checks.ts'

const folders: string[] = []
const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'civigraph-owner-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const modeOf = (path: string): number => statSync(path).mode & 0o777
const folderMode = process.getuid?.() === 0 ? 0o711 : 0o700

it('a start makes files with secrets, and their folder, accessible only to the owner', () => {
  const folder = temporary()
  const files = ['credentials.json', 'secrets.json', 'postgres.json', 'postgres.log'].map((name) => join(folder, name))
  for (const file of files) {
    writeFileSync(file, '{}')
    chmodSync(file, 0o644)
  }
  chmodSync(folder, 0o777)
  expect(folderProblem(folder)).toBeUndefined()
  expect(files.map(modeOf)).toEqual(files.map(() => 0o600))
  expect(modeOf(folder)).toBe(folderMode)
})

it('a new folder is accessible only to the owner, and a shared folder without secrets is unchanged', () => {
  const parent = temporary()
  chmodSync(parent, 0o1777)
  expect(folderProblem(join(parent, 'data'))).toBeUndefined()
  expect(modeOf(join(parent, 'data'))).toBe(folderMode)
  expect(folderProblem(parent)).toBeUndefined()
  expect(modeOf(parent)).toBe(0o777)
})

it('a generated file has mode 0600 after it is created, read or extended, and reports which', () => {
  const folder = temporary()
  const file = join(folder, 'kept.json')
  const Content = z.looseObject({ key: z.string() })
  expect(createdOnce(folder, 'kept.json', Content, () => ({ key: 'first' }))).toEqual({ content: { key: 'first' }, isNew: true })
  expect(modeOf(file)).toBe(0o600)
  chmodSync(file, 0o664)
  expect(createdOnce(folder, 'kept.json', Content, () => ({ key: 'second' }))).toEqual({ content: { key: 'first' }, isNew: false })
  expect(modeOf(file)).toBe(0o600)
  chmodSync(file, 0o644)
  // the leftover of a process with the same id
  writeFileSync(`${file}.${process.pid}`, '')
  chmodSync(`${file}.${process.pid}`, 0o644)
  const extended = createdOnce(folder, 'kept.json', Content, () => ({ key: 'third', more: 'new' }))
  expect(extended.content).toEqual({ key: 'first', more: 'new' })
  expect(modeOf(file)).toBe(0o600)
})
