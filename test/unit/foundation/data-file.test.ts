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

  it('is read as what its schema says', () => {
    expect(readData(written('{"months":[{"names":["mai","May"]}]}'), Months)).toEqual({ months: [{ names: ['mai', 'May'] }] })
  })

  it('that says something else is refused, naming the file and the place', () => {
    expect(() => readData(written('{"months":[{"names":["mai",""]}]}'), Months)).toThrow(/months\.json: months, 0, names, 1: Too small/)
  })

  it('that is no JSON, or is not there, is refused by its name', () => {
    expect(() => readData(written('{"months":'), Months)).toThrow(/months\.json: .*JSON/)
    expect(() => readData('subgraphs/none.json', Months)).toThrow(/^subgraphs\/none\.json: ENOENT/)
  })
})
