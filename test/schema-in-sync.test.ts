import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printedSchemas } from '../platform/printed/printed-schemas.ts'

const folder = new URL('../schema/', import.meta.url).pathname
const printed = await printedSchemas()

describe('schema/', () => {
  it.each([...printed.keys()])('%s matches what the code prints (npm run schema)', (file) => {
    expect(readFileSync(join(folder, file), 'utf8')).toBe(printed.get(file))
  })
})
