import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { parseConfig } from '../../../foundation/config/config.ts'
import { isCommand } from '../../../platform/commands/commands.ts'
import { parseRoles, roleNames } from '../../../platform/process/roles.ts'

const deploy = new URL('../../../deploy/', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, deploy), 'utf8')
const key = (): string => randomBytes(32).toString('base64')
const secrets = { VAULT_KEY: key(), PSEUDONYM_KEY: key(), EXPRESSION_KEY: key(), PRINCIPAL_SIGNING_KEY: key() }

const Service = z.looseObject({
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  deploy: z.looseObject({ replicas: z.number() }).optional(),
  read_only: z.boolean().optional(),
})
const Compose = z.looseObject({ services: z.record(z.string(), Service) })
const Deployment = z.looseObject({
  kind: z.literal('Deployment'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    replicas: z.number(),
    template: z.looseObject({ spec: z.looseObject({ containers: z.array(z.looseObject({ args: z.array(z.string()) })) }) }),
  }),
})

/** Asserts that each role runs in two processes. */
function expectEveryRoleTwice(processes: readonly { readonly words: readonly string[]; readonly replicas: number }[]): void {
  const copies = Object.fromEntries(roleNames.map((role) => [role, 0]))
  for (const { words, replicas } of processes) {
    expect(parseRoles(words)).not.toHaveProperty('problems')
    for (const role of words) copies[role] = (copies[role] ?? 0) + replicas
  }
  expect(copies).toEqual(Object.fromEntries(roleNames.map((role) => [role, 2])))
}

describe('the deployment files', () => {
  it('for Compose run two processes of each role, with known settings', () => {
    const { services } = Compose.parse(parse(textOf('compose/compose.yaml'), { merge: true }))
    const ours = Object.values(services).filter(({ read_only: readOnly }) => readOnly === true)
    const commands = ours.map(({ command = [], deploy: { replicas } = { replicas: 1 } }) => ({ words: command, replicas }))
    expectEveryRoleTwice(commands.filter(({ words }) => !isCommand(words[0])))
    expect(commands.filter(({ words }) => isCommand(words[0]))).toEqual([{ words: ['migrate', 'apply'], replicas: 1 }])
    for (const { environment = {} } of ours) {
      const plain = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'))
      const named = Object.fromEntries(
        plain.map(([name, value]) => [name, value.replace(/\$\{CIVIGRAPH_HOST(:[^}]*)?\}/g, 'civigraph.example')]),
      )
      const files = Object.keys(environment).flatMap((name) => (name.endsWith('_FILE') ? [name.replace(/_FILE$/, '')] : []))
      expectStart(named, files)
    }
  })

  it('for the image exclude no file that its build copies or bundles', () => {
    const lines = (file: string): readonly string[] => readFileSync(new URL(file, deploy), 'utf8').split('\n')
    const leftOut = lines('../.containerignore').filter((line) => line !== '')
    const copied = lines('Containerfile')
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1))
    const bundled = globSync(['web/**/*.tsx', 'packages/*/src/**/*.ts'], { cwd: new URL('..', deploy) })
    expect(bundled).not.toEqual([])
    const isLeftOut = (path: string): boolean => leftOut.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`))
    expect([...copied, ...bundled].filter(isLeftOut)).toEqual([])
  })

  it('for Kubernetes run two processes of each role, with known settings', () => {
    const documents = globSync('kubernetes/*.yaml', { cwd: deploy }).flatMap((file) =>
      parseAllDocuments(textOf(file)).map((document): unknown => document.toJS()),
    )
    const deployments = documents.flatMap((document) => Deployment.safeParse(document).data ?? [])
    expectEveryRoleTwice(
      deployments.map(({ spec: { replicas, template } }) => ({ words: template.spec.containers.flatMap(({ args }) => args), replicas })),
    )
    const lines = textOf('kubernetes/settings.env')
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
    const environment = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
    expectStart(environment, ['DATABASE_URL', 'REDIS_URL', ...Object.keys(secrets)])
  })

  it.each(['compose/compose.yaml', 'kubernetes/settings.env'])('%s lists known engine settings in comments', (file) => {
    const offered = [...textOf(file).matchAll(/^ *# ?([A-Z][A-Z_]+)(?:=|: )/gm)].map(([, name = '']) => name)
    expect(offered).toEqual(expect.arrayContaining(['REDIS_SENTINELS', 'REDIS_CLUSTER_NODES', 'ELASTICSEARCH_CA_FILE', 'CASSANDRA_TLS']))
    const isKnown = (name: string): boolean =>
      settings.includes(`| \`${name}\``) || settings.includes(`| \`${name.replace(/_FILE$/, '')}\` (secret)`)
    expect(offered.filter((name) => !isKnown(name))).toEqual([])
  })
})

/** The page of settings is printed from the code. */
const settings = readFileSync(new URL('../docs/settings.md', deploy), 'utf8')

/** Asserts that the image would start: all settings are known and valid, and every component is found. */
function expectStart(environment: Readonly<Record<string, string>>, secretNames: readonly string[]): void {
  const unknown = [...Object.keys(environment), ...secretNames].filter((name) => !settings.includes(`| \`${name}\``))
  expect(unknown).toEqual([])
  const hidden = { ...secrets, DATABASE_URL: 'postgres://u:p@postgres/civigraph', REDIS_URL: 'redis://:p@redis:6379/0' }
  const values = secretNames.map((name) => [name, hidden[name as keyof typeof hidden]])
  expect(values.filter(([, value]) => value === undefined)).toEqual([])
  const config = parseConfig({ NODE_ENV: 'production', ...environment, ...Object.fromEntries(values) }, '/app')
  expect(Object.keys(config.subgraphUrls ?? {}).toSorted()).toEqual([
    'administration',
    'classification',
    'content',
    'exploration',
    'verification',
  ])
  // the path of the subgraphs of this platform
  expect(Object.values(config.subgraphUrls ?? {}).map((url) => new URL(url ?? '').pathname)).toEqual(Array(5).fill('/graphql'))
  expect(config).toMatchObject({ migrate: false, production: true })
}
