import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { admissionWithin, connectionLimits, openFileLimit } from '../../../platform/process/open-files.ts'

const everything = { gateway: true, rest: ['exploration', 'classification'] } as const
const configOf = (env: Readonly<Record<string, string>> = {}) => parseConfig({ NODE_ENV: 'test', ...env }, '/tmp')

describe('the limit on open files', () => {
  it.each([
    ['Max open files            1024                 524288               files     \n', 1024],
    [
      'Max cpu time              unlimited            unlimited            seconds   \nMax open files            unlimited unlimited files\n',
      Infinity,
    ],
    ['Max processes 1 1 processes\n', 10_240],
  ])('is read from the limits of the process: %j', async (text, expected) => {
    const folder = await mkdtemp(join(tmpdir(), 'limits-'))
    await writeFile(join(folder, 'limits'), text)
    expect(openFileLimit(join(folder, 'limits'))).toBe(expected)
    await rm(folder, { recursive: true })
  })

  it('has a default when that file is missing', () => expect(openFileLimit('/nowhere/limits')).toBe(10_240))
})

describe('the connection limits', () => {
  it('reserve files for engines, and requests beside sockets and streams; settings above them are named', () => {
    expect(connectionLimits(configOf(), everything, 20_000)).toEqual({
      connections: 18_976,
      connectionsPerAddress: 4744,
      sockets: 15_180,
      socketsPerAddress: 3795,
      warning:
        '70000 sockets and streams are configured, but only 20000 open files are allowed, so 15180 are accepted: raise the limit (ulimit -n, LimitNOFILE) or lower SUBSCRIPTION_CLIENTS and STREAM_CLIENTS',
    })
    expect(connectionLimits(configOf(), everything, 1024)).toMatchObject({ connections: 768, sockets: 614, socketsPerAddress: 154 })
  })

  it('fit with many files or few roles', () => {
    expect(connectionLimits(configOf(), everything, 1_048_576).warning).toBeUndefined()
    expect(connectionLimits(configOf(), { gateway: false, rest: ['classification'] }, 20_000).warning).toBeUndefined()
  })

  it('are not limited by peer address behind trusted proxies, and by no address with CLIENTS_PER_ADDRESS=0', () => {
    expect(connectionLimits(configOf({ TRUST_PROXY: '1' }), everything, 20_000)).toMatchObject({
      connectionsPerAddress: 18_976,
      socketsPerAddress: 3795,
    })
    expect(connectionLimits(configOf({ CLIENTS_PER_ADDRESS: '0' }), everything, 20_000)).toMatchObject({
      connectionsPerAddress: 18_976,
      socketsPerAddress: 15_180,
    })
  })

  it('that do not fit are reported in one log message', () => {
    const sentences: unknown[] = []
    const config = configOf({ SUBSCRIPTION_CLIENTS: '1000000' })
    const log = { warn: (...words: readonly unknown[]) => void sentences.push(...words) }
    admissionWithin(config, everything, log, () => false)
    const fits = openFileLimit() > 3_000_000
    expect(sentences).toEqual(
      fits
        ? []
        : [expect.stringMatching(/^2030000 sockets and streams are configured, but only \d+ open files are allowed, so \d+ are accepted/)],
    )
  })
})
