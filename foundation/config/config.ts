import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { messageOf } from '../fault.ts'
import { arranged, type Setting, settingsIn, type ValuesOf } from './settings/setting.ts'
import { settings } from './settings.ts'
import { problemsBetween } from './settings-together.ts'
import { type UnknownSetting, unknownSettings } from './unknown-settings.ts'

/** All problems of the settings, one sentence each, by variable name. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** The settings of one process, read-only: absolute folders, sizes in bytes, times in milliseconds. */
export type Config = Readonly<ReturnType<typeof withDerivedDefaults>> & {
  readonly secretFiles: readonly SecretFile[]
  /** variables that resemble a setting */
  readonly unknownSettings: readonly UnknownSetting[]
}

/** A file from which a secret was read at the start of the process. */
export interface SecretFile {
  /** the variable that names it, such as VAULT_KEY_FILE */
  readonly name: string
  readonly file: string
  /** SHA-256 of its content, in hex */
  readonly sha256: string
}

/** Returns the SHA-256 of the content of a file in hex, as in `SecretFile`. */
export const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/**
 * Parses the settings once, at the start of the process.
 * @throws {ConfigProblems} with every invalid setting; never contains the value of a secret
 */
export function parseConfig(env: NodeJS.ProcessEnv, workingDirectory: string): Config {
  const problems: string[] = []
  const secretFiles: SecretFile[] = []
  const values = new Map(settingsIn(settings).map((each) => [each, valueIn(each, env, problems, secretFiles)]))
  const read = (each: Setting<unknown>): unknown => values.get(each)
  problems.push(...problemsBetween(read))
  if (problems.length > 0) throw new ConfigProblems(problems)
  const names = [...values.keys()].flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]))
  return {
    ...withDerivedDefaults(arranged(settings, read), workingDirectory),
    secretFiles,
    unknownSettings: unknownSettings(Object.keys(env), names),
  }
}

/** Returns the value of a setting, undefined if it is unset; adds its problem to `problems` and the file it was read from to `files`. */
function valueIn(setting: Setting<unknown>, env: NodeJS.ProcessEnv, problems: string[], files: SecretFile[]): unknown {
  const { name, rule, secret } = setting
  try {
    const text = textOf(setting, env, files)
    if (text === undefined) return undefined
    const parsed = rule.safeParse(text)
    if (parsed.success) return parsed.data
    problems.push(`${name} ${parsed.error.issues.map((issue) => issue.message).join(', ')}${secret ? '' : ` (it is "${text}")`}`)
  } catch (error) {
    problems.push(messageOf(error))
  }
  return undefined
}

/** Returns the text of a setting: the variable, or for a secret the content of the file that NAME_FILE names. */
function textOf({ name, secret, fallback }: Setting<unknown>, env: NodeJS.ProcessEnv, files: SecretFile[]): string | undefined {
  const file = env[`${name}_FILE`]
  if (secret && file !== undefined && file !== '') {
    if (env[name] !== undefined && env[name] !== '') throw new Error(`both ${name} and ${name}_FILE are set: unset one of them`)
    try {
      const content = readFileSync(file)
      files.push({ name: `${name}_FILE`, file, sha256: sha256Of(content) })
      // an empty file is an unset secret, as an empty variable is
      return content.toString('utf8').trim() || fallback
    } catch (error) {
      throw new Error(`${name}_FILE cannot be read: ${messageOf(error)}`)
    }
  }
  return env[name] === '' ? fallback : (env[name] ?? fallback)
}

/** Adds the defaults that depend on other settings and makes folders absolute. */
function withDerivedDefaults(values: ValuesOf<typeof settings>, workingDirectory: string) {
  const {
    production,
    tls,
    portBase,
    supergraphFile,
    overrideModule,
    vaultFolder,
    authorization,
    persistedOperations,
    identity,
    verification,
    content,
    exploration,
  } = values
  const dataDir = resolve(workingDirectory, values.dataDir)
  const ownUrl = (offset: number): string =>
    `${tls.certificate === undefined ? 'http' : 'https'}://127.0.0.1:${(portBase || 4000) + offset}`
  const folder = (path: string | undefined, withinData: string): string => resolve(workingDirectory, path ?? join(dataDir, withinData))
  return {
    ...values,
    dataDir,
    restPublicUrls: { verification: ownUrl(1), classification: ownUrl(3), content: ownUrl(5), ...values.restPublicUrls },
    drainDelayMs: values.drainDelayMs ?? (production ? 5000 : 0),
    corsOrigins: values.corsOrigins ?? (production ? [] : ('any' as const)),
    introspection: values.introspection ?? !production,
    certificateFiles:
      tls.certificate === undefined || tls.key === undefined
        ? undefined
        : { certificate: resolve(workingDirectory, tls.certificate), key: resolve(workingDirectory, tls.key) },
    supergraphFile: supergraphFile && resolve(workingDirectory, supergraphFile),
    overrideModule: overrideModule && resolve(workingDirectory, overrideModule),
    authorization: {
      ...authorization,
      policyModule: authorization.policyModule && resolve(workingDirectory, authorization.policyModule),
    },
    persistedOperations: {
      ...persistedOperations,
      manifest: persistedOperations.manifest && resolve(workingDirectory, persistedOperations.manifest),
    },
    modelsFolder: folder(values.modelsFolder, 'models'),
    previousVaultKeys: values.previousVaultKeys ?? [],
    previousPrincipalSigningKeys: values.previousPrincipalSigningKeys ?? [],
    vaultFolder: vaultFolder && resolve(workingDirectory, vaultFolder),
    identity: {
      ...identity,
      embeddedIssuerUrl: identity.embeddedIssuerUrl ?? `http://127.0.0.1:${(portBase || 4000) + 4}/oidc`,
    },
    verification: {
      ...verification,
      callbackSecrets: verification.callbackSecrets ?? [],
      sealCertificates: verification.sealCertificates && resolve(workingDirectory, verification.sealCertificates),
    },
    exploration: {
      ...exploration,
      publicVoting: { ...exploration.publicVoting, isOn: exploration.publicVoting.isOn ?? !production },
    },
    content: { ...content, snapshotFolder: folder(content.snapshotFolder, 'content-snapshot') },
  }
}
