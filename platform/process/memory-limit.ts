import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../foundation/config/config.ts'
import type { ComponentName } from '../../foundation/process/build-info.ts'
import { namesOf, type Roles } from './roles.ts'

const mebibyte = 1024 * 1024

/** A limit on the memory of this process and its children. */
export interface MemoryLimit {
  readonly bytes: number
  /** where it is set, for messages */
  readonly source: string
}

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Larger values mean that there is no limit (cgroup v1). */
const unlimited = 2 ** 60

/**
 * Returns the smallest memory limit of the process's control group and of the groups above it, of version 1 or 2; undefined without one.
 * @param root - of the file system, for tests
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html (memory.max)
 */
export function memoryLimit(root = '/'): MemoryLimit | undefined {
  const groups = (textOf(join(root, 'proc/self/cgroup')) ?? '').split('\n').map((line) => line.split(':'))
  const limits = groups.flatMap(([number, controllers = '', path = '/']) => {
    if (number === '0' && controllers === '') return limitsIn(join(root, 'sys/fs/cgroup'), path, 'memory.max')
    return controllers.split(',').includes('memory') ? limitsIn(join(root, 'sys/fs/cgroup/memory'), path, 'memory.limit_in_bytes') : []
  })
  return limits.toSorted((one, other) => one.bytes - other.bytes)[0]
}

/** A container sees its own group as the root, whatever its path is outside. */
function limitsIn(mount: string, path: string, file: string): readonly MemoryLimit[] {
  const folders = new Set<string>([mount])
  for (let folder = join(mount, path); folder.startsWith(mount); folder = dirname(folder)) folders.add(folder)
  return [...folders].flatMap((folder) => {
    const bytes = Number(textOf(join(folder, file)) ?? 'max')
    return Number.isFinite(bytes) && bytes < unlimited ? [{ bytes, source: `${file} of its control group` }] : []
  })
}

/** V8 and WebAssembly reserve more address space than they use; measured: below this they abort without a message. */
const minAddressSpace = 64 * 1024 ** 3

/** Returns a sentence if `ulimit -v` (RLIMIT_AS) is set too low. */
export function addressSpaceProblem(limits = textOf('/proc/self/limits') ?? ''): string | undefined {
  const soft = Number(/^Max address space +(\S+)/m.exec(limits)?.[1] ?? 'unlimited')
  if (!(soft < minAddressSpace)) return undefined
  return `The address space of this process is limited to ${Math.floor(soft / mebibyte)} MiB (ulimit -v): unset that limit, because reserved addresses count and would end the process without a message; limit its memory by a control group instead`
}

/** Memory that a process needs at least, in MiB, with one request or job at a time (docs/operations/deploying.md, Memory). */
const processMinimum = 290
/** of the code that roles of a kind share */
const kindMinima = { gateway: 150, rest: 100, subgraph: 25, worker: 10 } as const
/** of a role itself: embeddings, a PDF, the networks of a verification job */
const roleMinima: Readonly<Record<string, number>> = {
  'subgraph:classification': 170,
  'subgraph:content': 400,
  'worker:verification': 580,
  'worker:classification': 40,
}
const otherRole = 10
const embeddedDatabase = 120
const minPdf = 384 * mebibyte
const oneMoreJob = 350 * mebibyte

/** The minimum of a process, in MiB. */
export function minimumMiB(roles: Roles, isEmbedded: boolean): number {
  const names = namesOf(roles)
  const ofKinds = Object.entries(kindMinima).flatMap(([kind, mib]) => (names.some((name) => name.split(':', 1)[0] === kind) ? [mib] : []))
  const ofRoles = names.map((name) => roleMinima[name] ?? otherRole)
  return [...ofKinds, ...ofRoles].reduce((sum, mib) => sum + mib, processMinimum + (isEmbedded ? embeddedDatabase : 0))
}

export interface FittedConfig {
  readonly config: Config
  /** why the process must not start; undefined if it may */
  readonly problem: string | undefined
  /** what was reduced, for the log; undefined if nothing was */
  readonly reduced: Readonly<Record<string, number>> | undefined
}

/** Reduces the settings that use memory to a limit: PDF size, bodies in memory, verification jobs at once. */
export function fittedToMemory(config: Config, roles: Roles, limit: MemoryLimit | undefined): FittedConfig {
  if (limit === undefined) return { config, problem: undefined, reduced: undefined }
  const minimum = minimumMiB(roles, config.database.urls === undefined)
  const spare = limit.bytes - minimum * mebibyte
  if (spare < 0) {
    const what = roles.all ? 'the whole platform needs' : `${namesOf(roles).join(' ')} need${namesOf(roles).length === 1 ? 's' : ''}`
    const problem = `The memory of this process is limited to ${Math.floor(limit.bytes / mebibyte)} MiB (${limit.source}), but ${what} at least ${minimum} MiB: raise the limit${namesOf(roles).length > 1 ? ', or run its roles in several processes' : ''}`
    return { config, problem, reduced: undefined }
  }
  const uses = (component: ComponentName, where: readonly ComponentName[]): boolean => where.includes(component)
  const pdfBytes = Math.min(config.content.pdf.memoryBytes, Math.floor(minPdf + 0.6 * spare))
  const intakeBytes = Math.min(config.limits.intakeInflightBytes, Math.floor(64 * mebibyte + 0.25 * spare))
  const concurrency = Math.min(config.verification.concurrency, 1 + Math.floor((0.8 * spare) / oneMoreJob))
  const reduced = {
    ...(uses('content', roles.subgraphs) &&
      pdfBytes < config.content.pdf.memoryBytes && { PDF_MEMORY_MB: Math.floor(pdfBytes / mebibyte) }),
    ...((roles.gateway || roles.rest.length > 0) &&
      intakeBytes < config.limits.intakeInflightBytes && { INTAKE_INFLIGHT_MB: Math.floor(intakeBytes / mebibyte) }),
    ...(uses('verification', roles.workers) && concurrency < config.verification.concurrency && { VERIFICATION_CONCURRENCY: concurrency }),
  }
  return {
    config: {
      ...config,
      limits: { ...config.limits, intakeInflightBytes: intakeBytes },
      verification: { ...config.verification, concurrency },
      content: { ...config.content, pdf: { ...config.content.pdf, memoryBytes: pdfBytes } },
    },
    problem: undefined,
    reduced: Object.keys(reduced).length === 0 ? undefined : reduced,
  }
}
