import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { CitizenPseudonyms } from '../../engines/citizen-data/citizen-pseudonyms.ts'
import { threadedDocumentReader } from '../../engines/document-reader/worker/threaded-document-reader.ts'
import { onnxFaceAnalyser } from '../../engines/face-analyser/onnx-face-analyser.ts'
import { installedPackage } from '../../engines/inference/installed-models.ts'
import { typstTypesetter } from '../../engines/typesetting/typst-typesetter.ts'
import { systemClock } from '../../foundation/clock.ts'
import { compose, type Part } from '../../foundation/lifecycle.ts'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { citizenDataOf as delegationsOf } from '../../subgraphs/administration/citizen-data.ts'
import { citizenDataOf as expressionsOf } from '../../subgraphs/classification/citizen-data.ts'
import { citizenDataOf as votesOf } from '../../subgraphs/exploration/citizen-data.ts'
import {
  type CallbackSecretsOf,
  createVerification,
  createVerificationUpkeep,
  createVerificationWorker,
  registerVerificationMetrics,
} from '../../subgraphs/verification/index.ts'
import { delegationsQueue } from '../engines/awaited-database.ts'
import { auditNoteOf, type Component, type ComponentOptions } from './component.ts'

/** Component A on the engines of a process. */
export const verification: Component = {
  async subgraph(options) {
    const { config, build, gate, keys } = options
    registerWorkGauges(options)
    const engines = subgraphEngines(options)
    const models = { ...faceAnalyser(options).versions, ...textReader(options).models }
    const { maxBatchJobs } = config.verification
    const subgraph = await createVerification(
      { ...engines, gate },
      {
        ...build,
        models,
        maxBatchJobs,
        fourEyes: config.verification.review.fourEyes,
        undoMinutes: config.verification.review.undoMinutes,
        outcomeRetentionDays: config.verification.outcomeRetentionDays,
        templateKeys: keys?.deduplication,
        allowsLocalCallbacks: !config.production,
        publicUrl: config.restPublicUrls.verification,
      },
    )
    return { subgraph, engines: enginesUsed(options), background: [engines.typesetter] }
  },

  upkeep: (options) => createVerificationUpkeep(subgraphEngines(options)),

  worker(options) {
    const { engines, config, keys } = options
    registerWorkGauges(options)
    const { concurrency, resultRetentionDays, outcomeRetentionDays, thresholds, sealCertificates, review } = config.verification
    const faces = faceAnalyser(options)
    const reader = textReader(options)
    const worker = createVerificationWorker(
      { ...engines, clock: systemClock, log: logOf(options) },
      {
        concurrency,
        resultRetentionDays,
        outcomeRetentionDays,
        reviewRetentionDays: review.retentionDays,
        templateKeys: keys?.deduplication,
        thresholds,
        sealCertificates,
        faces,
        reader,
        callbacks: { secretsOf: callbackSecretsOf(options), allowLocal: !config.production },
        queueWorker: (handler) => engines.queueWorker(concurrency, handler),
      },
    )
    return { worker: compose('worker:verification', [faces, reader, worker]), engines: enginesUsed(options), background: [] }
  },
}

/** Engines of the subgraph; it reaches the data about citizens in all components, which share the database. */
function subgraphEngines(options: ComponentOptions) {
  const { engines, config, keys } = options
  const { database, feed } = engines
  const pseudonymKey = keys?.pseudonym ?? randomBytes(32)
  const pseudonyms = new CitizenPseudonyms(pseudonymKey)
  return {
    ...engines,
    clock: systemClock,
    log: logOf(options),
    auditNote: auditNoteOf(options),
    pseudonyms,
    citizenData: [
      delegationsOf({ database, pseudonyms, queue: delegationsQueue }),
      expressionsOf({ database, feed, pseudonymKey }),
      votesOf({ database, feed, pseudonymKey }),
    ],
    typesetter: typstTypesetter({ ...config.content.pdf, templateFile: join(projectFolder, 'engines/typesetting/publication.typ') }),
  }
}

/** Registers the queue metrics also in workers: the number of waiting jobs matters most when no worker is running. */
function registerWorkGauges({ registries, engines, config: { verification } }: ComponentOptions): void {
  if (registries === undefined) return
  registerVerificationMetrics(registries.of('verification'), engines.database, { reviewRetentionDays: verification.review.retentionDays })
}

const enginesUsed = ({ engines: { database, queue, feed } }: ComponentOptions): readonly Part[] => [database, queue, feed]

/** Returns the secrets that sign the callbacks of a service: from the setting, else from the database. */
const callbackSecretsOf =
  ({ keys, engines }: ComponentOptions): CallbackSecretsOf =>
  async (service) =>
    keys?.callbackSecrets.find(({ name }) => name === service)?.secrets ?? engines.serviceKeys.callbackSecrets(service)

/** One thread for faces: onnxruntime uses all cores itself, and a second copy of the networks takes 300 MB. */
const faceAnalyser = (options: ComponentOptions) =>
  onnxFaceAnalyser({
    threads: 1,
    executionProviders: options.config.onnxExecutionProviders,
    sface: installedPackage(options.config.modelsFolder, 'face-descriptor'),
    log: logOf(options),
  })

const textReader = (options: ComponentOptions) =>
  threadedDocumentReader({
    threads: options.config.verification.concurrency,
    executionProviders: options.config.onnxExecutionProviders,
    ocr: installedPackage(options.config.modelsFolder, 'document-reader'),
    log: logOf(options),
  })

const logOf = ({ log }: ComponentOptions) => log.child({ component: 'verification' })
