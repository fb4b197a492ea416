import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { secretFilesWatch } from '../../../platform/process/secret-files.ts'
import { recordedLog } from '../../support/gateway/town.ts'
import { replaceFile } from '../../support/processes/replace-file.ts'

it('logs once that the file of a secret has changed, without its content', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-secrets-'))
  const { log, lines } = recordedLog()
  try {
    const [url, password] = [join(folder, 'url'), join(folder, 'password')]
    await writeFile(url, 'redis://:first@127.0.0.1:1')
    await writeFile(password, 'first password')
    const { secretFiles, redis } = parseConfig({ REDIS_URL_FILE: url, CASSANDRA_PASSWORD_FILE: password }, '/')
    expect(redis?.url).toBe('redis://:first@127.0.0.1:1')
    expect(secretFiles.map(({ name }) => name)).toEqual(['REDIS_URL_FILE', 'CASSANDRA_PASSWORD_FILE'])
    const watch = secretFilesWatch(secretFiles, log, 5)
    await watch.start(new AbortController().signal)
    const mentions = (name: string): number => lines.filter((line) => line.includes(name)).length
    await replaceFile(url, 'redis://:second@127.0.0.1:1')
    await expect.poll(() => mentions('REDIS_URL_FILE')).toBe(1)
    await rm(password)
    await expect.poll(() => mentions('CASSANDRA_PASSWORD_FILE')).toBe(1)
    await watch.stop()
    expect(lines).toHaveLength(2)
    expect(lines.join('')).toContain('restart this process')
    expect(lines.join('')).not.toMatch(/first|second/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
