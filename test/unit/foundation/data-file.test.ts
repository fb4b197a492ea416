import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { projectFolder } from '../../../foundation/process/build-info.ts'

const Months = z.object({ months: z.array(z.object({ names: z.array(z.string().min(1)) })) })

describe('a data file', () => {
  let folder: string
  const written = (text: string): string => {
    const file = join(folder, 'months.json')
    writeFileSync(file, text)
    return relative(projectFolder, file)
  }

  beforeEach(() => {
    folder = mkdtempSync(join(projectFolder, 'node_modules/.data-file-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is parsed by its schema', () => {
    expect(readData(written('{"months":[{"names":["mai","May"]}]}'), Months)).toEqual({ months: [{ names: ['mai', 'May'] }] })
  })

  it('with invalid content is refused with its file and path', () => {
    expect(() => readData(written('{"months":[{"names":["mai",""]}]}'), Months)).toThrow(/months\.json: months, 0, names, 1: Too small/)
  })

  it('that is not JSON, or is missing, is refused with its path', () => {
    expect(() => readData(written('{"months":'), Months)).toThrow(/months\.json: .*JSON/)
    expect(() => readData('subgraphs/none.json', Months)).toThrow(/^subgraphs\/none\.json: ENOENT/)
  })
})
