import specifications from '@asyncapi/specs'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { expect, it } from 'vitest'
import { streamDocument } from '../../../rest-adapters/classification/stream/asyncapi.ts'

it('the document of /ws is one of AsyncAPI 3, and its references lead somewhere', () => {
  // the specification's schema brings that of JSON schemas with it
  const ajv = formats.default(new Ajv({ strict: false, logger: false, meta: false, validateSchema: false }))
  const specification: object = specifications.schemas['3.0.0']
  const isValid = ajv.compile(specification)
  const document = streamDocument()
  isValid(document)
  expect(isValid.errors ?? []).toEqual([])
  const { asyncapi: _, ...unnamed } = document
  expect(isValid(unnamed)).toBe(false)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(references.length).toBeGreaterThan(8)
  for (const path of references) {
    const found = path.split('/').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document)
    expect(found, path).toBeTypeOf('object')
  }
})
