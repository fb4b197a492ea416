import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { faultStatus } from '../../../foundation/http/fault-status.ts'
import { generateClient } from '../../../packages/civigraph-client/generate/generate-client.ts'
import { documentsFile, inputs, restFile, stampOf } from '../../../packages/civigraph-client/generate/inputs.ts'
import { CivigraphError } from '../../../packages/civigraph-client/src/errors/civigraph-error.ts'
import { errorOf, errorOfResponse } from '../../../packages/civigraph-client/src/errors/refusals.ts'

const client = join(import.meta.dirname, '../../../packages/civigraph-client')
const files = Object.keys(inputs).toSorted()

describe('generated code of the package @civigraph/client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'civigraph-generated-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

  it('is generated whole where all of it is missing, as in a fresh clone', async () => {
    expect((await generateClient(folder)).toSorted()).toEqual(files)
    const generated = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    expect(generated.toSorted()).toEqual(files)
    for (const file of files) expect(read(file)).toBe(readFileSync(join(client, 'src', file), 'utf8'))
  })

  it('is left as it is while its inputs are the same', async () => {
    expect(await generateClient(folder)).toEqual([])
  })

  it('is generated again, and alone, if it is of other inputs or missing', async () => {
    const [stale, missing] = [documentsFile('content'), restFile('content')]
    const text = read(stale)
    writeFileSync(join(folder, stale), text.replace(stampOf(stale), '// Generated of something else\n'))
    rmSync(join(folder, missing))
    expect((await generateClient(folder)).toSorted()).toEqual([stale, missing].toSorted())
    expect(read(stale)).toBe(text)
  })

  it('is not committed', () => {
    expect(readFileSync(join(client, '../../.gitignore'), 'utf8').split('\n')).toContain('packages/civigraph-client/src/*/generated/')
  })
})

describe('the package @civigraph/client', () => {
  it.each(Object.entries(faultStatus))('has one class for %s and its status', (code, status) => {
    const graphql = errorOf({ message: 'no', extensions: { code, requestId: 'r-1', retryAfterMs: 1500 } })
    // the body of a refused sign-in has the error code of RFC 6749
    const body = { detail: 'no', ...(code === 'INVALID_CREDENTIALS' && { error: 'invalid_grant' }) }
    const rest = errorOfResponse(new Response(null, { status, headers: { 'Retry-After': '2', 'X-Request-Id': 'r-1' } }), body)
    expect(graphql).toBeInstanceOf(CivigraphError)
    expect(graphql.constructor).not.toBe(CivigraphError)
    expect(graphql.name).toBe(graphql.constructor.name)
    expect(graphql).toMatchObject({ message: 'no', code, requestId: 'r-1', retryAfterMs: 1500 })
    expect(rest).toMatchObject({ message: 'no', status, requestId: 'r-1', retryAfterMs: 2000 })
    expect(rest.constructor).toBe(graphql.constructor)
  })
})
