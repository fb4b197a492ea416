import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { untilTaxonomyLoaded } from '../support/clients/post-expression.ts'
import { removeDataDir, temporaryDataDir } from '../support/engines/databases.ts'
import { freePortBase } from '../support/processes/free-ports.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'
import { Citizen, eventually, eventuallySays, search } from '../support/samples/citizen.ts'

const open = closedAfterEach()

describe('a search index that is lost', () => {
  it('is refilled by the running platform, and a command rebuilds it while searches continue', { timeout: 360_000 }, async () => {
    const system = await startSystem({ components: ['exploration', 'classification', 'administration'] })
    open.push(system)
    const metricsUrl = /metrics\s+(http\S+)/.exec(system.processes[0]?.output() ?? '')?.[1] ?? ''
    const citizen = new Citizen(system)
    await untilTaxonomyLoaded(system)
    for (let n = 0; n < 40; n++) expect(await citizen.post()).toBe(201)
    await eventuallySays(async () => expect((await search(system, 'check')).output).toMatch(/compared 40 .* 0 missing, 0 stale, 0 extra/))

    await rm(join(system.dataDir, 'search-index'), { recursive: true, force: true, maxRetries: 10 })
    await eventuallySays(async () => expect((await search(system, 'check')).code).toBe(0))
    expect(await citizen.hitCount('robinet numéro 7')).toBeGreaterThan(0)

    let searchCount = 0
    const rebuilt = await citizen.while(1, async () => {
      const command = search(system, 'rebuild')
      let done = false
      void command.then(() => (done = true))
      for (; !done; searchCount++) expect(await citizen.hitCount('robinet numéro 7')).toBeGreaterThan(0)
      return command
    })
    expect(rebuilt).toMatchObject({ code: 0, output: expect.stringContaining('rebuilt in') })
    expect(searchCount).toBeGreaterThan(3)
    await eventuallySays(async () =>
      expect(await search(system, 'check')).toMatchObject({
        code: 0,
        output: expect.stringContaining(`compared ${citizen.accepted.size} `),
      }),
    )
    for (const component of ['classification', 'exploration'] as const)
      await eventually(async () =>
        expect(await citizen.health(component)).toMatchObject({
          status: 'ok',
          checks: { search_index: { status: 'ok', engine: 'lancedb', drift: 0 } },
        }),
      )
    // the command compares at once, the metrics follow the platform's next comparison
    await eventually(async () => {
      const metrics = await (await fetch(metricsUrl)).text()
      expect(metrics).toMatch(/^civigraph_search_index_mended_total\{kind="missing"\} [1-9]/m)
      expect(metrics).toMatch(/^civigraph_search_index_drift\{kind="missing"\} 0$/m)
      expect(metrics).toMatch(/^civigraph_exploration_search_index_drift 0$/m)
    })
    expect(await search(system, 'repair')).toMatchObject({ code: 1, output: expect.stringContaining('npm run civigraph -- search check') })
  })

  it('is completed after the platform was killed right after its responses, and reports what is missing while it cannot be written', {
    timeout: 360_000,
  }, async () => {
    const dataDir = await temporaryDataDir()
    open.push({ [Symbol.asyncDispose]: () => removeDataDir(dataDir) })
    const place = { dataDir, portBase: await freePortBase(), components: ['classification'] as const }
    const first = await startSystem(place)
    const citizen = new Citizen(first)
    await citizen.while(4, () => eventually(async () => expect(citizen.accepted.size).toBeGreaterThan(40)))
    first.processes[0]?.child.kill('SIGKILL')
    await first.processes[0]?.exited
    expect([...citizen.accepted.values()]).toContain('indexed')

    const second = await startSystem(place)
    open.push(second)
    const expectComplete = (): Promise<void> =>
      eventuallySays(async () =>
        expect(await search(second, 'check')).toMatchObject({
          code: 0,
          output: expect.stringMatching(new RegExp(`compared ${citizen.accepted.size} .* 0 missing, 0 stale, 0 extra`)),
        }),
      )
    await expectComplete()

    const folder = join(dataDir, 'search-index')
    await rename(folder, `${folder}.moved`)
    await writeFile(folder, 'in its way')
    const before = citizen.accepted.size
    await citizen.while(2, () => eventually(async () => expect([...citizen.accepted.values()].slice(before)).toContain('pending')))
    const last = (): string | undefined => [...citizen.accepted.values()].at(-1)
    expect(last()).toBe('pending')
    await eventually(async () => expect((await citizen.health('classification')).checks.search_index?.status).toBe('down'))
    // the platform may create a new one at once
    await eventually(async () => {
      await rm(folder, { recursive: true, force: true })
      await rename(`${folder}.moved`, folder)
    })
    await expectComplete()
    await eventually(async () => {
      await citizen.post()
      expect(last()).toBe('indexed')
    })
  })
})
