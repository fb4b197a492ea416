import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { withinMemory } from '../../../foundation/process/memory-share.ts'
import { addressSpaceProblem, fittedToMemory, memoryLimit, minimumMiB } from '../../../platform/process/memory-limit.ts'
import { parseRoles, roleNames } from '../../../platform/process/roles.ts'

const mebibyte = 1024 * 1024

/** A file system with these files. */
function root(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'civigraph-cgroup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const rolesOf = (...words: readonly string[]) => {
  const roles = parseRoles(words)
  if ('problems' in roles) throw new Error(roles.problems.join())
  return roles
}

describe('the memory limit', () => {
  it.each([
    ['version 2, in a container', { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': '536870912\n' }, 512],
    [
      'version 2, of a group above',
      { 'proc/self/cgroup': '0::/pod/app\n', 'sys/fs/cgroup/pod/memory.max': '1073741824', 'sys/fs/cgroup/pod/app/memory.max': 'max' },
      1024,
    ],
    [
      'version 1',
      { 'proc/self/cgroup': '5:cpu:/a\n4:memory:/docker/x\n0::/\n', 'sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes': '2147483648' },
      2048,
    ],
    [
      'version 1, in a container',
      { 'proc/self/cgroup': '4:memory:/docker/x\n', 'sys/fs/cgroup/memory/memory.limit_in_bytes': '268435456' },
      256,
    ],
  ])('is read from a control group of %s', (_, files, expected) => expect(memoryLimit(root(files))?.bytes).toBe(expected * mebibyte))

  it.each([
    ['without one', { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': 'max' }],
    [
      'without one in version 1',
      { 'proc/self/cgroup': '4:memory:/\n', 'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712' },
    ],
    ['on another system', {}],
  ])('is absent %s', (_, files) => expect(memoryLimit(root(files))).toBeUndefined())
})

describe('a process', () => {
  const config = parseConfig({ DATABASE_URL: 'postgres://h/d' }, '/tmp')
  const limitOf = (mib: number) => ({ bytes: mib * mebibyte, source: 'memory.max of its control group' })

  it.each([...roleNames, 'all'])('with %s below its minimum is refused with it, and not above', (role) => {
    const minimum = minimumMiB(rolesOf(role), false)
    expect(fittedToMemory(config, rolesOf(role), limitOf(minimum - 1)).problem).toContain(`at least ${minimum} MiB: raise the limit`)
    expect(fittedToMemory(config, rolesOf(role), limitOf(minimum)).problem).toBeUndefined()
  })

  it('has the minimum that the documentation states', () => {
    const page = readFileSync(new URL('../../../docs/operations/deploying.md', import.meta.url), 'utf8')
    const allOf = (kind: string) => roleNames.filter((name) => name.startsWith(`${kind}:`))
    const documented = [
      ['gateway'],
      allOf('rest'),
      allOf('subgraph'),
      ['worker:verification'],
      ['worker:exploration', 'worker:classification'],
    ]
    const numbers = documented.map((words) => minimumMiB(rolesOf(...words), false))
    const [gateway, rest, subgraph, verification, workers] = numbers
    expect(page).toContain(
      `${gateway} for \`gateway\`, ${rest} for \`rest\` (all five), ${subgraph} for \`subgraph\` (all five), ${verification} for \`worker:verification\`, ${workers} for the other workers, ${minimumMiB(rolesOf('all'), true).toLocaleString('en')} for the whole platform`,
    )
  })

  it('fits PDF size, bodies and jobs to its limit, and changes nothing without one or with much', () => {
    const roles = rolesOf('subgraph:content', 'worker:verification', 'gateway')
    const minimum = minimumMiB(roles, false)
    expect(fittedToMemory(config, roles, limitOf(minimum)).reduced).toEqual({
      PDF_MEMORY_MB: 384,
      INTAKE_INFLIGHT_MB: 64,
      VERIFICATION_CONCURRENCY: 1,
    })
    const fitted = fittedToMemory(config, roles, limitOf(minimum + 1000)).config
    expect(fitted.content.pdf.memoryBytes).toBe(984 * mebibyte)
    expect(fitted.verification.concurrency).toBe(2)
    for (const limit of [undefined, limitOf(64_000)])
      expect(fittedToMemory(config, roles, limit)).toMatchObject({ config, problem: undefined, reduced: undefined })
  })
})

it('a limited address space is refused with the reason', () => {
  const line = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit           Units\nMax address space         ${soft}           unlimited            bytes`
  expect(addressSpaceProblem(line('4096000000'))).toMatch(
    /^The address space of this process is limited to 3906 MiB \(ulimit -v\): unset that limit/,
  )
  expect(addressSpaceProblem(line('unlimited'))).toBeUndefined()
  expect(addressSpaceProblem('')).toBeUndefined()
})

it.each([
  [64, 1024 * mebibyte],
  [256, 16_384 * mebibyte],
  [256, 0],
  [256, 2 ** 64],
])('a cache of 256 MiB takes %i MiB within a sixteenth of %i bytes', (expected, limit) =>
  expect(withinMemory(256 * mebibyte, 1 / 16, limit)).toBe(expected * mebibyte),
)
