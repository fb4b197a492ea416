import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import { examine, type HealthProbe } from '../../foundation/health/health.ts'
import type { ComponentHealth } from '../../foundation/health/health.type.ts'
import { HealthStatus } from '../../foundation/health/health-status.ts'
import type { Subgraph } from '../../foundation/subgraph/subgraph.ts'

const levels = { [HealthStatus.OK]: 2, [HealthStatus.DEGRADED]: 1, [HealthStatus.DOWN]: 0 } as const

/**
 * Exports the health of the components of this process, as /health reports it, and of the engines that its listeners use: checked at each scrape, for
 * at most a second.
 * @param ofListeners - component `listeners` of the metric
 */
export function registerHealthGauges(
  registry: Registry,
  subgraphs: readonly Pick<Subgraph, 'name' | 'health'>[],
  ofListeners: readonly HealthProbe[],
): void {
  let pending: Promise<readonly (readonly [component: string, health: ComponentHealth])[]> | undefined
  const healths = () => {
    pending ??= Promise.all([
      ...subgraphs.map(async ({ name, health }) => [name, await health()] as const),
      ...(ofListeners.length === 0 ? [] : [examine('', ofListeners).then((health) => ['listeners', health] as const)]),
    ]).finally(() => {
      pending = undefined
    })
    return pending
  }
  new Gauge({
    name: 'civigraph_engine_up',
    help: '1 if an engine responds to the check of a component, 0 if not',
    labelNames: ['component', 'check', 'engine'] as const,
    registers: [registry],
    async collect() {
      this.reset()
      for (const [component, { checks }] of await healths())
        for (const { name, engine, status } of checks) this.set({ component, check: name, engine }, status === HealthStatus.DOWN ? 0 : 1)
    },
  })
  new Gauge({
    name: 'civigraph_component_health',
    help: 'Health of a component as /health reports it: 2 ok, 1 degraded, 0 down',
    labelNames: ['component'] as const,
    registers: [registry],
    async collect() {
      for (const [component, { status }] of await healths()) if (component !== 'listeners') this.set({ component }, levels[status])
    },
  })
}

/** Exports free space and size of the file systems of these folders. Folders that do not exist yet are left out. */
export function registerDiskGauges(registry: Registry, folders: readonly { readonly setting: string; readonly path: string }[]): void {
  const gauge = (
    name: string,
    help: string,
    bytesOf: (facts: { readonly bavail: number; readonly blocks: number; readonly bsize: number }) => number,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames: ['folder'] as const,
      registers: [registry],
      async collect() {
        this.reset()
        for (const { setting, path } of folders) {
          const facts = await statfs(path, { bigint: false }).catch(() => undefined)
          if (facts !== undefined) this.set({ folder: setting }, bytesOf(facts))
        }
      },
    })
  }
  gauge('civigraph_disk_free_bytes', 'Free space of the file system of a folder, for this user', ({ bavail, bsize }) => bavail * bsize)
  gauge('civigraph_disk_size_bytes', 'Size of the file system of a folder', ({ blocks, bsize }) => blocks * bsize)
}
