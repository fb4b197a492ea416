import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultStatus } from '../../../foundation/http/fault-status.ts'
import { cacheSchemaModule } from '../../../packages/civigraph-client/generate/cache-schema.ts'
import { cacheSchema, documentsFile, inputs, stampOf } from '../../../packages/civigraph-client/generate/inputs.ts'
import { splitDocuments, topics } from '../../../packages/civigraph-client/generate/split-documents.ts'
import { CivigraphError } from '../../../packages/civigraph-client/src/errors/civigraph-error.ts'
import { errorOf, errorOfResponse } from '../../../packages/civigraph-client/src/errors/refusals.ts'

const client = join(import.meta.dirname, '../../../packages/civigraph-client')
const read = (path: string): string => readFileSync(join(client, path), 'utf8')

describe('the package @civigraph/client', () => {
  it.each(Object.keys(inputs))('is generated from the current source of %s', (file) => {
    expect(`${read(join('src', file)).split('\n')[0]}\n`, 'run npm run generate -w @civigraph/client').toBe(stampOf(file))
  })

  it('has the modules that its generator writes', () => {
    const generated = (file: string): string => read(join('src', file)).slice(stampOf(file).length)
    const modules = topics.map((topic) => generated(documentsFile(topic)).split('\n'))
    // the module that the generator splits: the type of documents, all types, all documents
    const documents = modules.flatMap((lines) => lines.filter((line) => line.startsWith('export const ')))
    const whole = [modules[0]?.[0], generated(documentsFile('types')), ...documents].join('\n')
    for (const [name, text] of splitDocuments(whole))
      expect(text.trim(), `run npm run generate -w @civigraph/client: ${name}`).toBe(generated(documentsFile(name)).trim())
    expect(cacheSchemaModule()).toBe(generated(cacheSchema))
  })

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
