import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { besidePool } from '../../../engines/relational/processes/process-registry.ts'
import { parseConfig } from '../../../foundation/config/config.ts'
import { isCommand } from '../../../platform/commands/commands.ts'
import { minimumMiB } from '../../../platform/process/memory-limit.ts'
import { parseRoles, roleNames } from '../../../platform/process/roles.ts'

const composeSchema = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(readFileSync(new URL('../../support/deployment/compose-spec.json', import.meta.url), 'utf8')))
const deploy = new URL('../../../deploy/', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, deploy), 'utf8')
const key = (): string => randomBytes(32).toString('base64')
const secrets = { VAULT_KEY: key(), PSEUDONYM_KEY: key(), EXPRESSION_KEY: key(), PRINCIPAL_SIGNING_KEY: key() }
/** empty outside a rotation */
const previous = { VAULT_KEY_PREVIOUS: '', PRINCIPAL_SIGNING_KEY_PREVIOUS: '' }

const Service = z.looseObject({
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  mem_limit: z.string().optional(),
  logging: z.unknown().optional(),
  restart: z.string().optional(),
  image: z.string(),
  deploy: z.looseObject({ replicas: z.number() }).optional(),
  read_only: z.boolean().optional(),
})
const Compose = z.looseObject({ services: z.record(z.string(), Service) })
const Deployment = z.looseObject({
  kind: z.literal('Deployment'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    replicas: z.number().optional(),
    template: z.looseObject({ spec: z.looseObject({ containers: z.array(z.looseObject({ args: z.array(z.string()) })) }) }),
  }),
})

const Autoscaler = z.looseObject({
  kind: z.literal('HorizontalPodAutoscaler'),
  spec: z.looseObject({ minReplicas: z.number(), scaleTargetRef: z.looseObject({ name: z.string() }) }),
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
    expectEveryRoleTwice(commands.filter(({ words: [word = ''] }) => roleNames.includes(word)))
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

  it('for Compose limit memory and logs of every service that stays, within the connections of PostgreSQL', () => {
    const { services } = Compose.parse(parse(textOf('compose/compose.yaml'), { merge: true }))
    const lasting = Object.entries(services).filter(([, { restart }]) => restart !== 'no')
    expect(lasting.filter(([, service]) => service.mem_limit === undefined || service.logging === undefined).map(([name]) => name)).toEqual(
      [],
    )
    for (const [name, { command = [], mem_limit: memory = '' }] of Object.entries(services)) {
      const roles = parseRoles(command)
      if ('problems' in roles || command.length === 0 || !roleNames.includes(command[0] ?? '')) continue
      expect(mebibytesOf(memory), name).toBeGreaterThanOrEqual(minimumMiB(roles, false))
    }
    const ours = Object.values(services).filter(({ read_only: readOnly, command = [] }) => readOnly === true && command.length > 0)
    const connections = ours.map(
      ({ environment = {}, deploy: { replicas } = { replicas: 1 } }) => replicas * (Number(environment.DATABASE_POOL ?? 10) + besidePool),
    )
    // max_connections less those reserved for superusers, by default
    expect(connections.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(97)
  })

  it('for Compose are valid by the schema of the Compose specification', () => {
    const validate = new Ajv({ strict: false, logger: false }).compile(composeSchema)
    validate(parse(textOf('compose/compose.yaml'), { merge: true }))
    expect(validate.errors ?? []).toEqual([])
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
      deployments.map(({ metadata, spec: { replicas, template } }) => ({
        words: template.spec.containers.flatMap(({ args }) => args),
        replicas:
          replicas ??
          documents
            .flatMap((each) => Autoscaler.safeParse(each).data?.spec ?? [])
            .find(({ scaleTargetRef }) => scaleTargetRef.name === metadata.name)?.minReplicas ??
          0,
      })),
    )
    const lines = textOf('kubernetes/settings.env')
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
    const environment = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
    expectStart(environment, ['DATABASE_URL', 'REDIS_URL', ...Object.keys({ ...secrets, ...previous })])
    const scaled = documents.flatMap((document) => Autoscaler.safeParse(document).data?.spec ?? [])
    for (const { metadata, spec } of deployments) {
      const scaling = scaled.find(({ scaleTargetRef }) => scaleTargetRef.name === metadata.name)
      // an apply would undo the autoscaler's number
      expect(spec.replicas, metadata.name).toBe(scaling === undefined ? 2 : undefined)
    }
  })

  it('for Kubernetes have the kinds of their versions, unique names, and refer only to what exists', () => {
    const documents = globSync('kubernetes/*.yaml', { cwd: deploy })
      .filter((file) => !file.endsWith('kustomization.yaml'))
      .flatMap((file) => parseAllDocuments(textOf(file)).map((document) => Resource.parse(document.toJS())))
    for (const { kind, apiVersion } of documents) expect(apiVersion, kind).toBe(versions[kind])
    const names = documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(names).toEqual([...new Set(names)])
    const generated = Kustomization.parse(parse(textOf('kubernetes/kustomization.yaml')))
    expect(generated.resources.toSorted()).toEqual(
      globSync('*.yaml', { cwd: new URL('kubernetes/', deploy) })
        .filter((file) => file !== 'kustomization.yaml')
        .toSorted(),
    )
    const known = new Set([...generated.configMapGenerator, ...generated.secretGenerator].map(({ name }) => name))
    for (const { kind, metadata, spec } of documents) {
      const pod = podOf(spec)
      if (pod === undefined) continue
      expect(
        pod.containers
          .flatMap(({ envFrom }) => envFrom.map((each) => (each.configMapRef ?? each.secretRef)?.name))
          .filter((name) => !known.has(name ?? '')),
      ).toEqual([])
      for (const { volumeMounts, resources, image } of pod.containers) {
        expect([image, volumeMounts.map(({ name }) => name).filter((name) => !pod.volumes.some((volume) => volume.name === name))]).toEqual(
          ['civigraph', []],
        )
        expect(resources.limits.memory, `${kind} ${metadata.name}`).toBe(resources.requests.memory)
      }
    }
    const claims = documents.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)
    expect(
      documents.flatMap(({ spec }) => podOf(spec)?.volumes.flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []) ?? []),
    ).toEqual(claims)
  })

  it.each(['compose/compose.yaml', 'kubernetes/settings.env'])('%s lists known engine settings in comments', (file) => {
    const offered = [...textOf(file).matchAll(/^ *# ?([A-Z][A-Z_]+)(?:=|: )/gm)].map(([, name = '']) => name)
    expect(offered).toEqual(expect.arrayContaining(['REDIS_SENTINELS', 'REDIS_CLUSTER_NODES', 'ELASTICSEARCH_CA_FILE', 'CASSANDRA_TLS']))
    const isKnown = (name: string): boolean =>
      settings.includes(`| \`${name}\``) || settings.includes(`| \`${name.replace(/_FILE$/, '')}\` (secret)`)
    expect(offered.filter((name) => !isKnown(name))).toEqual([])
  })
})

const versions: Readonly<Record<string, string>> = {
  Namespace: 'v1',
  Service: 'v1',
  PersistentVolumeClaim: 'v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  NetworkPolicy: 'networking.k8s.io/v1',
  Ingress: 'networking.k8s.io/v1',
}
const Named = z.object({ name: z.string() })
const Pod = z.looseObject({
  containers: z.array(
    z.strictObject({
      name: z.string(),
      image: z.string(),
      args: z.array(z.string()).optional(),
      command: z.array(z.string()).optional(),
      env: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
      envFrom: z.array(z.strictObject({ configMapRef: Named.optional(), secretRef: Named.optional() })),
      ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })).optional(),
      startupProbe: z.unknown().optional(),
      livenessProbe: z.unknown().optional(),
      readinessProbe: z.unknown().optional(),
      lifecycle: z.unknown().optional(),
      resources: z.strictObject({
        requests: z.strictObject({ cpu: z.union([z.string(), z.number()]), memory: z.string() }),
        limits: z.strictObject({ memory: z.string() }),
      }),
      securityContext: z.strictObject({
        allowPrivilegeEscalation: z.literal(false),
        readOnlyRootFilesystem: z.literal(true),
        capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
      }),
      volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })),
    }),
  ),
  volumes: z.array(
    z.strictObject({
      name: z.string(),
      emptyDir: z.strictObject({}).optional(),
      persistentVolumeClaim: z.strictObject({ claimName: z.string() }).optional(),
    }),
  ),
})
const Resource = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.record(z.string(), z.unknown()).optional(),
})
const Kustomization = z.looseObject({
  resources: z.array(z.string()),
  configMapGenerator: z.array(z.looseObject({ name: z.string() })),
  secretGenerator: z.array(z.looseObject({ name: z.string() })),
})
const Template = z.looseObject({ template: z.looseObject({ spec: z.unknown() }) })
const Schedule = z.looseObject({ jobTemplate: z.looseObject({ spec: Template }) })

/** Returns the pod of a workload; undefined for another resource. */
function podOf(spec: unknown): z.output<typeof Pod> | undefined {
  const workload = Schedule.safeParse(spec).data?.jobTemplate.spec ?? Template.safeParse(spec).data
  return workload === undefined ? undefined : Pod.parse(workload.template.spec)
}

const mebibytesOf = (text: string): number => Number.parseFloat(text) * (text.endsWith('g') ? 1024 : 1)

/** The page of settings is printed from the code. */
const settings = readFileSync(new URL('../docs/settings.md', deploy), 'utf8')

/** Asserts that the image would start: all settings are known and valid, and every component is found. */
function expectStart(environment: Readonly<Record<string, string>>, secretNames: readonly string[]): void {
  const unknown = [...Object.keys(environment), ...secretNames].filter((name) => !settings.includes(`| \`${name}\``))
  expect(unknown).toEqual([])
  const hidden = { ...secrets, ...previous, DATABASE_URL: 'postgres://u:p@postgres/civigraph', REDIS_URL: 'redis://:p@redis:6379/0' }
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
