import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, callerOf, type RestCall, restCalls } from '../support/clients/rest-calls.ts'
import { withPackages, workshop } from '../support/clients/workshop.ts'
import { components, type Platform } from '../support/processes/platform.ts'
import { sharedPlatform } from '../support/processes/shared-platform.ts'

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly responses: Responses }>>>>
}
type Responses = Readonly<Record<string, { readonly content?: object }>>
interface Answered {
  readonly operation: string
  readonly status: number
  readonly parsed: boolean
}

const run = promisify(execFile)
const schemas = join(import.meta.dirname, '../../schema/rest')
const patience = { timeout: 150_000, maxBuffer: 16 * 1024 * 1024 }
const typescript = await workshop(
  'TypeScript',
  withPackages('openapi-typescript@7', 'openapi-fetch@0.17', 'gql.tada@1', '@0no-co/graphqlsp@1', 'typescript@5'),
)
const python = await workshop('Python', async (folder) => {
  await run('python3', ['-m', 'venv', '--without-pip', folder], patience)
  // pip would compile every installed package; Python compiles only what it imports
  const install = ['install', '-q', '--no-compile', 'openapi-python-client==0.*']
  await run('python3', ['-m', 'pip', '--python', join(folder, 'bin/python'), ...install], patience)
})

let system: Platform
let caller: Awaited<ReturnType<typeof callerOf>>
const documents = new Map<string, Documented>()

beforeAll(async () => {
  for (const name of components)
    documents.set(name, JSON.parse(await readFile(join(schemas, `${name}.openapi.json`), 'utf8')) as Documented)
  if (typescript === undefined && python === undefined) return
  system = await sharedPlatform('one')
  caller = await callerOf(system)
})
afterAll(async () => {
  for (const folder of [typescript, python]) if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

/** Position of an operation in its document. */
function placeOf({ component, operation }: RestCall): { readonly method: string; readonly path: string; readonly responses: Responses } {
  for (const [path, methods] of Object.entries(documents.get(component)?.paths ?? {}))
    for (const [method, { operationId, responses }] of Object.entries(methods))
      if (operationId === operation) return { method: method.toUpperCase(), path, responses }
  throw new Error(`${component} has no operation ${operation}`)
}

const expected = (calls: readonly RestCall[]) =>
  calls.map(({ component, operation, status = 200 }) => ({ operation: `${component} ${operation}`, status }))
const linesOf = (text: string): readonly Answered[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answered)

it('every operation of every component is called', async () => {
  const called = (await restCalls('x', {})).map(({ component, operation }) => `${component} ${operation}`)
  const documented = [...documents].flatMap(([component, { paths }]) =>
    Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => `${component} ${operationId}`)),
  )
  expect(called.toSorted()).toEqual(documented.toSorted())
})

describe.skipIf(typescript === undefined)('clients of openapi-fetch, typed by openapi-typescript', () => {
  it('compile and receive the documented responses', async () => {
    const folder = typescript ?? ''
    const calls = await restCalls('typescript', caller.account)
    for (const name of components)
      await run(
        join(folder, 'node_modules/.bin/openapi-typescript'),
        [join(schemas, `${name}.openapi.json`), '-o', `${name}.ts`, '--default-non-nullable', 'false'],
        {
          cwd: folder,
          ...patience,
        },
      )
    await writeFile(join(folder, 'every-call.ts'), programOf(calls, caller))
    const options = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
    const tsc = join(folder, 'node_modules/.bin/tsc')
    await run(tsc, [...options, '--allowImportingTsExtensions', 'every-call.ts'], { cwd: folder, ...patience }).catch(({ stdout }) =>
      expect(stdout).toBe(''),
    )
    const { stdout } = await run(process.execPath, ['every-call.ts'], { cwd: folder, ...patience })
    const answers = linesOf(stdout)
    expect(answers.map(({ operation, status }) => ({ operation, status }))).toEqual(expected(calls))
    expect(answers.filter(({ status, parsed }) => status < 300 && !parsed)).toEqual([])
  })

  const programOf = (calls: readonly RestCall[], { service, administrator }: Caller): string => {
    const credentials = {
      service: { 'X-Service-API-Key': service },
      administrator: { Authorization: `Bearer ${administrator}` },
    }
    const imports = components.map((name) => `import type { paths as ${name}Paths } from './${name}.ts'`)
    const clients = components.map(
      (name) => `const ${name} = createClient<${name}Paths>({ baseUrl: ${JSON.stringify(system.rest[name])} })`,
    )
    const lines = calls.map((call) => {
      const { method, path, responses } = placeOf(call)
      const { path: inPath, query, body, as } = call
      const answered = Object.entries(responses).flatMap(([status, { content = {} }]) =>
        status.startsWith('2') ? Object.keys(content) : [],
      )
      const init = {
        ...((inPath || query) && { params: { ...(inPath && { path: inPath }), ...(query && { query }) } }),
        ...(body !== undefined && { body }),
        ...(as && { headers: credentials[as] }),
      }
      const parsed = answered.some((type) => type === 'application/json' || type.endsWith('+json')) ? {} : { parseAs: 'text' }
      const label = `${call.component} ${call.operation}`
      return `report('${label}', await ${call.component}.${method}(${JSON.stringify(path)}, ${JSON.stringify({ ...init, ...parsed })}))`
    })
    return [
      `import createClient from 'openapi-fetch'`,
      ...imports,
      ...clients,
      'const report = (operation: string, { response, data }: { response: Response; data?: unknown }) =>',
      '  console.log(JSON.stringify({ operation, status: response.status, parsed: data !== undefined }))',
      ...lines,
    ].join('\n')
  }
})

describe.skipIf(typescript === undefined)('operations that gql.tada types in the editor', () => {
  it('have the types of the graph that this platform serves, and its results match them', async () => {
    const folder = typescript ?? ''
    const url = system.graphqlUrl
    const plugin = { name: 'gql.tada/ts-plugin', schema: url, tadaOutputLocation: './graph.d.ts' }
    const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'] }
    const config = { compilerOptions: { ...compilerOptions, plugins: [plugin] }, files: ['written.ts'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await writeFile(join(folder, 'written.ts'), written(url))
    await run(join(folder, 'node_modules/.bin/gql.tada'), ['generate-output'], { cwd: folder, ...patience })
    await run(join(folder, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder, ...patience }).catch(({ stdout }) =>
      expect(stdout).toBe(''),
    )
    const { stdout } = await run(process.execPath, ['written.ts'], { cwd: folder, ...patience })
    expect(JSON.parse(stdout)).toEqual({ domains: { version: expect.any(String) }, expressions: { nodes: [] }, me: null })
  })

  /** Each marked line does not fit the graph and must be a compiler error. */
  const written = (url: string): string => `
    import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada'
    import { print } from 'graphql'
    import type { introspection } from './graph.d.ts'
    const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string; Date: string } }>()
    const query = graphql(\`query Written($first: Int, $filter: ExpressionFilterInput) {
      expressions(first: $first, filter: $filter) { nodes { id text createdAt sentiment { label } } }
      domains { version }
      me { roles }
    }\`)
    // @ts-expect-error there is no such field
    graphql(\`{ domains { nothing } }\`) satisfies typeof query
    // @ts-expect-error a sentiment is one of three
    const wrong: VariablesOf<typeof query> = { filter: { sentiment: 'GLAD' } }
    const variables: VariablesOf<typeof query> = { first: 3, filter: { sentiment: 'POSITIVE', lang: 'xx' } }
    const response = await fetch(${JSON.stringify(url)}, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: print(query), variables }),
    })
    const { data } = (await response.json()) as { data: ResultOf<typeof query> }
    const label: 'POSITIVE' | 'NEUTRAL' | 'NEGATIVE' | null | undefined = data.expressions?.nodes[0]?.sentiment?.label
    const at: string | undefined = data.expressions?.nodes[0]?.createdAt
    const roles: readonly ('SUPER_ADMIN' | 'GROUP_ADMIN' | 'REVIEWER')[] | undefined = data.me?.roles
    void [wrong, label, at, roles]
    console.log(JSON.stringify(data))
  `
})

describe.skipIf(python === undefined)('clients of openapi-python-client', () => {
  it('are generated without warnings and receive the documented responses', async () => {
    const folder = python ?? ''
    const clients = join(folder, 'clients')
    await mkdir(clients)
    const calls = await restCalls('python', caller.account)
    const config = join(import.meta.dirname, 'python/generator.yml')
    // the generator runs a formatter from the same folder
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
    for (const name of components) {
      const from = ['--path', join(schemas, `${name}.openapi.json`), '--config', config]
      const generate = ['generate', ...from, '--meta', 'none', '--fail-on-warning', '--output-path', join(clients, name)]
      await run(join(folder, 'bin/openapi-python-client'), generate, { ...patience, env })
    }
    const { service, administrator } = caller
    await writeFile(join(folder, 'calls.json'), JSON.stringify({ calls, service, administrator, addresses: system.rest }))
    const script = join(import.meta.dirname, 'python/every_call.py')
    const { stdout } = await run(join(folder, 'bin/python'), [script, clients, join(folder, 'calls.json')], patience)
    expect(linesOf(stdout).map(({ operation, status }) => ({ operation, status }))).toEqual(expected(calls))
  })
})
