import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { foreign } from '../../support/gateway/foreign-subgraph.ts'
import { harbour, harbourSdl } from '../../support/gateway/harbour.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'

const run = promisify(execFile)
const project = new URL('../../../', import.meta.url).pathname
const Manifest = z.looseObject({ version: z.string(), dependencies: z.record(z.string(), z.string()) })
const manifestOf = async (folder: string) => Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))

describe('the package civigraph-gateway', () => {
  let folder: string
  let packed: string
  const subgraphs: { stop(): Promise<void> }[] = []

  /** A project with the packed package, and only the dependencies that the package names. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'civigraph-gateway-'))
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(project, 'packages/civigraph-gateway'),
    })
    const [{ filename }] = z.tuple([z.looseObject({ filename: z.string() })]).parse(JSON.parse(stdout.slice(stdout.indexOf('[\n'))))
    packed = join(folder, 'node_modules/civigraph-gateway')
    await mkdir(packed, { recursive: true })
    await run('tar', ['-xzf', join(folder, filename), '-C', packed, '--strip-components=1'])
    for (const name of Object.keys((await manifestOf(packed)).dependencies)) {
      const link = join(folder, 'node_modules', name)
      await mkdir(dirname(link), { recursive: true })
      await symlink(join(project, 'node_modules', name), link)
    }
    const { schemas } = harbour()
    const members = await Promise.all(
      Object.entries(harbourSdl).map(async ([name, sdl]) => {
        const { server, stop } = await foreign(schemas[name as keyof typeof schemas])
        subgraphs.push({ stop })
        return { name, sdl, url: `${listenerUrl(server, '127.0.0.1')}/graphql` }
      }),
    )
    await writeFile(join(folder, 'supergraph.graphql'), composeSupergraph(members))
  })
  afterAll(async () => {
    await Promise.all(subgraphs.map(({ stop }) => stop()))
    await rm(folder, { recursive: true, force: true })
  })

  const send = async (url: string): Promise<unknown> => {
    const body = JSON.stringify({ query: '{ vessel(id: "b2") { name homePort { name } } }' })
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return answer.json()
  }
  const answer = { data: { vessel: { name: 'Barge 2', homePort: { name: 'Port BE22' } } } }
  const started = async (words: readonly string[], env: Readonly<Record<string, string>>, sign: RegExp) => {
    const child = spawn(process.execPath, words, { cwd: folder, env: { PATH: process.env.PATH ?? '', ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    await expect.poll(() => output).toMatch(sign)
    return {
      output: () => output,
      stop: async () => {
        const ended = once(child, 'exit')
        child.kill()
        return (await ended)[0] as unknown
      },
    }
  }

  it('contains no component of the platform, and names dependencies with the versions of this repository', async () => {
    const files = await readdir(packed, { recursive: true })
    expect(files).toContain('dist/gateway/package/index.d.ts')
    expect(files.filter((file) => /subgraphs\/(?:verification|exploration|classification|administration|content)\//.test(file))).toEqual([])
    const [ours, theirs] = [await manifestOf(project), await manifestOf(packed)]
    expect(theirs.version).toBe(ours.version)
    expect(ours.dependencies).toMatchObject(theirs.dependencies)
  })

  it('declares types by its dependencies alone', async () => {
    const declarations = (await readdir(packed, { recursive: true })).filter((file) => file.endsWith('.d.ts'))
    const texts = await Promise.all(declarations.map((file) => readFile(join(packed, file), 'utf8')))
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/(?:from|import\()\s*'((?:@[^'/]+\/)?[^.'/][^'/]*)/g)].map(([, name]) => name),
    )
    const { dependencies } = await manifestOf(packed)
    expect(imported.filter((name = '') => !name.startsWith('node:') && !(name in dependencies))).toEqual([])
  })

  it.each([
    // Apollo Server stops, then ends its process by the signal
    ['in Apollo Server', 0, null],
    ['without Apollo Server', 2, 0],
  ])('serves a supergraph with the code of its README, %s', async (_, index, exitCode) => {
    const blocks = [...(await readFile(join(packed, 'README.md'), 'utf8')).matchAll(/```js\n(.*?)```/gs)]
    expect(blocks).toHaveLength(3)
    await writeFile(join(folder, 'program.mjs'), blocks[index]?.[1]?.replace('port: 4000', 'port: 0') ?? '')
    const program = await started(['program.mjs'], {}, /http:\S+\/graphql/)
    try {
      expect(await send(/http:\S+\/graphql/.exec(program.output())?.[0] ?? '')).toEqual(answer)
    } finally {
      expect(await program.stop()).toBe(exitCode)
    }
  })

  it('runs as a program', async () => {
    const base = await freePortBase()
    const main = join(packed, 'dist/platform/gateway-main.js')
    const program = await started([main, 'supergraph.graphql'], { PORT_BASE: String(base), METRICS_PORT: '0' }, /ready in/)
    try {
      expect(await send(`http://127.0.0.1:${base}/graphql`)).toEqual(answer)
      for (const [path, name] of Object.entries({ '': 'Civigraph', query: 'Query editor' })) {
        const page = await fetch(`http://127.0.0.1:${base}/${path}`)
        const html = await page.text()
        expect([page.status, html]).toEqual([200, expect.stringContaining(`<title>${name}`)])
        const loaded = [...html.matchAll(/(?:src|href)="(\/pages\/[^"]+)"/g)].map(([, file]) => file)
        expect(loaded.length).toBeGreaterThan(3)
        for (const file of loaded) expect([file, (await fetch(`http://127.0.0.1:${base}${file}`)).status]).toEqual([file, 200])
      }
    } finally {
      expect(await program.stop()).toBe(0)
    }
    await expect(run(process.execPath, [main], { cwd: folder })).rejects.toThrow('serves a Federation 2 supergraph')
    await expect(run(process.execPath, [main, 'missing.graphql'], { cwd: folder })).rejects.toThrow(/missing\.graphql.*ENOENT/)
  })
})
