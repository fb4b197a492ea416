import { execFile, fork, spawn, spawnSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { embeddedEngine } from '../support/engines/engines.ts'

describe('a unit test', () => {
  it.each([
    ['a program', () => spawn('true')],
    ['a program and wait for it', () => spawnSync('true')],
    ['a program by its file', () => execFile('true')],
    ['another Node process', () => fork('nothing.js')],
  ])('cannot start %s', (_, start) => expect(start).toThrow('A unit test starts no process'))

  it('cannot start a thread', () => expect(() => new Worker('nothing.js')).toThrow('A unit test starts no thread'))

  it('finds no database', () => expect(() => embeddedEngine.open()).toThrow('This project has no PostgreSQL'))
})
