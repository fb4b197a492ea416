import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { clientSchema } from '../../../packages/civigraph-client/generate/cache-schema.ts'
import { postExpression } from '../../support/clients/post-expression.ts'
import { openGate } from '../../support/processes/gate.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const project = new URL('../../../', import.meta.url).pathname
const patience = { timeout: 120_000 }
const execute = promisify(execFile)
const npm = (words: readonly string[], cwd: string) => execute('npm', words, { cwd, ...patience })

/** A client project, with the strictest TypeScript options. */
const program = `
import { ConflictError, createGraphqlClient, createSubscriptionClient, follow, InvalidCredentialsError, InvalidInputError, NoAnswerError, signIn, UnauthenticatedError } from '@civigraph/client'
import { DomainsDocument, ExpressionAddedDocument, IngestExpressionDocument, MeDocument } from '@civigraph/client/documents'
import { answerOf, explorationClient, verificationClient } from '@civigraph/client/rest'

const [url = '', proxied = '', verificationUrl = '', explorationUrl = '', key = ''] = process.argv.slice(2)
const print = (name: string, what: unknown): void => console.log(JSON.stringify([name, what]))
const refused = (answering: Promise<unknown>) => answering.then(() => 'nothing', (error: unknown) => error)

const graph = createGraphqlClient({ url })
const { domains } = await graph.request(DomainsDocument, {})
const count: number = domains?.domains.length ?? 0
print('domains', count)
const partial = await graph.execute(MeDocument, {})
print('anonymous', [partial.data?.me ?? null, partial.errors[0] instanceof UnauthenticatedError])
print('password', (await refused(signIn({ email: 'unknown@example.org', password: 'wrong' }, { url }))) instanceof InvalidCredentialsError)
const wrong = await refused(graph.request(IngestExpressionDocument, { input: { text: '' } }))
print('wrong', wrong instanceof InvalidInputError ? wrong.entries[0]?.path : String(wrong))
print('nowhere', (await refused(createGraphqlClient({ url: 'http://127.0.0.1:9/graphql' }).request(MeDocument, {}))) instanceof NoAnswerError)
print('no graph', (await refused(createGraphqlClient({ url: explorationUrl }).request(MeDocument, {}))) instanceof NoAnswerError)

const verification = verificationClient({ baseUrl: verificationUrl, headers: { 'X-Service-API-Key': key } })
const results = await answerOf(verification.GET('/jobs/results', { params: { query: { limit: 5 } } }))
const returned: number = results.returned
print('results', returned)
const unknown = await refused(answerOf(verification.POST('/jobs/ack', { headers: { 'X-Service-API-Key': 'wrong' }, body: { job_ids: ['x'] } })))
print('rejected', [unknown instanceof UnauthenticatedError, unknown instanceof ConflictError])
const exploration = explorationClient({ baseUrl: explorationUrl })
print('statistics', typeof (await answerOf(exploration.GET('/api/v1/stats'))).expressions)

const socket = createSubscriptionClient({ url: proxied })
follow(socket, ExpressionAddedDocument, { updates: false, afterPosition: 0 }, {
  next: ({ expressionAdded: { expression } }) => print('event', expression?.text ?? null),
  error: (error, isOver) => print(isOver ? 'over' : 'event', error.message),
})
`

let folder: string
let isInstalled = false
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'civigraph-client-'))
  const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], join(project, 'packages/civigraph-client'))
  const [{ filename }] = z.tuple([z.looseObject({ filename: z.string() })]).parse(JSON.parse(stdout.slice(stdout.indexOf('[\n'))))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  try {
    await npm(['install', '--no-audit', '--no-fund', '--prefer-offline', `./${filename}`, 'graphql@16', '@types/node@24'], folder)
    isInstalled = true
  } catch (error) {
    process.stderr.write(`the package @civigraph/client: SKIPPED, what it needs cannot be installed: ${String(error).split('\n')[0]}\n`)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('works in a project that has installed its tarball: with types, error classes, and subscriptions that survive disconnections', async ({
  skip,
}) => {
  if (!isInstalled) skip()
  const options = {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
    outDir: 'built',
    rootDir: '.',
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.mts'] }))
  const schema = await readFile(join(folder, 'node_modules/@civigraph/client/schema.graphql'), 'utf8')
  expect(schema).toBe(clientSchema())
  // the examples of its README compile with the same options
  const ambient =
    'declare const key: string, url: string, email: string, password: string; declare function store(session: unknown): void\n'
  const page = await readFile(join(project, 'packages/civigraph-client/README.md'), 'utf8')
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
  expect(examples).toHaveLength(4)
  for (const [index, code] of examples.entries()) await writeFile(join(folder, `example-${index}.mts`), ambient + code)
  await writeFile(join(folder, 'program.mts'), program)
  const compiler = join(project, 'node_modules/typescript/bin/tsc')
  const complaints = execute(process.execPath, [compiler, '-p', folder], patience).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  )
  expect(await complaints).toBe('')

  const system = await sharedPlatform('one')
  await using network = await openGate(system.graphqlUrl.replace('http', 'ws'))
  const words = [system.graphqlUrl, network.url, system.rest.verification, system.rest.exploration, system.apiKey]
  const child = execFile(process.execPath, ['built/program.mjs', ...words], { cwd: folder })
  let [printed, complained] = ['', '']
  child.stdout?.on('data', (text: string) => (printed += text))
  child.stderr?.on('data', (text: string) => (complained += text))
  const lines = () =>
    printed
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as [string, unknown])
  try {
    const texts = [1, 2, 3, 4].map((number) => `Sentence ${number} of ${folder} about the park`)
    const own = () => lines().flatMap(([name, text]) => (name === 'event' && texts.includes(String(text)) ? [text] : []))
    for (const [index, text] of texts.entries()) {
      if (index > 0) network.cut()
      network.open()
      expect(await postExpression(system, { text, lang: 'en' })).toMatchObject({ status: 201 })
      await expect.poll(own).toEqual(texts.slice(0, index + 1))
    }
  } finally {
    child.kill()
  }
  expect(complained).toBe('')
  expect(Object.fromEntries(lines().filter(([name]) => name !== 'event'))).toEqual({
    domains: expect.any(Number),
    anonymous: [null, true],
    password: true,
    wrong: ['text'],
    nowhere: true,
    'no graph': true,
    results: 0,
    rejected: [true, false],
    statistics: 'object',
  })
  expect(lines()[0]?.[1]).toBeGreaterThan(10)
})
