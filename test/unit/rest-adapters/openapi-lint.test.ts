import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'

const folder = new URL('../../../schema/rest/', import.meta.url).pathname
const recommended = await createConfig({ extends: ['recommended'] })

describe.each(['verification', 'exploration', 'classification', 'administration', 'content'])('the OpenAPI document of %s', (component) => {
  const source = readFileSync(`${folder}${component}.openapi.json`, 'utf8')

  it('has no error in the Redocly linter', async () => {
    const problems = await lintFromString({ source, absoluteRef: `${component}.json`, config: recommended })
    expect(problems.filter(({ severity }) => severity === 'error').map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  it('names each operation once, in plain words', () => {
    const { paths } = JSON.parse(source) as { readonly paths: Record<string, Record<string, { readonly operationId: string }>> }
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z]+(?:[A-Z][a-z]+)*$/)
  })
})
