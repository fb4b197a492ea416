import { availableParallelism } from 'node:os'
import { threadedDocumentReader } from '../../engines/document-reader/worker/threaded-document-reader.ts'
import type { FaceAnalyser } from '../../engines/face-analyser/face-analyser.ts'
import { onnxFaceAnalyser } from '../../engines/face-analyser/onnx-face-analyser.ts'
import { installedPackage } from '../../engines/inference/installed-models.ts'
import { DeadlineExceeded } from '../../foundation/fault.ts'
import { silentLog } from '../../foundation/log.ts'
import { VerifyIdentity } from '../../subgraphs/verification/assessment/verify-identity.ts'
import { defaultThresholds } from '../../subgraphs/verification/checks/thresholds.ts'
import type { JobRow } from '../../subgraphs/verification/tables.ts'
import { type DocumentCase, documentCases } from './document-cases.ts'
import { type JudgedCase, JudgedCases } from './judged-cases.ts'

/** The date for which documents are generated and judged: the figures do not depend on the calendar. */
const today = '2026-07-01'

export interface Evaluation {
  /** The cases; called once the face models are loaded. */
  readonly casesWith: (faces: FaceAnalyser, today: string, signal: AbortSignal) => Promise<readonly DocumentCase[]>
  /** Folder of installed models; absent: bundled models only. */
  readonly modelsFolder?: string
  /** Stores judged cases for a run after an interruption; absent: nothing is stored. */
  readonly journal?: string | undefined
  /** Called after each case. */
  readonly progress: (judged: JudgedCase, done: number, of: number) => void
}

/** Cases whose kind, condition or defect contains the word. */
export const drawnCases =
  (word: string): Evaluation['casesWith'] =>
  async (_faces, today) =>
    documentCases(today).filter((documentCase) => isAbout(documentCase, word))

export const isAbout = ({ kind, condition, defect }: DocumentCase, word: string): boolean => `${kind} ${condition} ${defect}`.includes(word)

/** Judges every generated document with the real models and rules, as the worker does, without queue and database. */
export async function evaluateDocuments({ casesWith, modelsFolder, journal, progress }: Evaluation): Promise<readonly JudgedCase[]> {
  const signal = new AbortController().signal
  const lanes = Math.max(2, Math.min(8, availableParallelism()))
  const sface = modelsFolder === undefined ? undefined : installedPackage(modelsFolder, 'face-descriptor')
  const ocr = modelsFolder === undefined ? undefined : installedPackage(modelsFolder, 'document-reader')
  const faces = onnxFaceAnalyser({ threads: Math.ceil(lanes / 2), executionProviders: ['cpu'], sface, log: silentLog })
  const reader = threadedDocumentReader({ threads: lanes, executionProviders: ['cpu'], ocr, timeoutMs: patientMs, log: silentLog })
  const certificatesOf = async () => ({ authorities: [], revocationLists: [], anyImported: false })
  await Promise.all([faces.start(signal), reader.start(signal)])
  const cases = await casesWith(faces, today, signal)
  const before = new JudgedCases(journal, cases)
  const judged: JudgedCase[] = [...before.read()]
  const judgedCases = new Set(judged.map(({ documentCase }) => documentCase))
  // interleaves the kinds, so that a fault of one shows early
  const order = cases
    .filter((documentCase) => !judgedCases.has(documentCase))
    .toSorted((a, b) => spread(cases.indexOf(a)) - spread(cases.indexOf(b)))
  let next = 0
  const lane = async (): Promise<void> => {
    const verification = new VerifyIdentity({
      certificatesOf,
      challengeOf: async () => undefined,
      chipChallengeOf: async () => undefined,
      faces,
      reader,
      clock: { now: () => Date.parse(today) },
      thresholds: defaultThresholds,
    })
    for (let documentCase = order[next++]; documentCase !== undefined; documentCase = order[next++]) {
      // the rules read no other column
      const job = { documentType: documentCase.documentType, countryCode: documentCase.countryCode } as JobRow
      const { outcome, crossValidations, failureReason } = await inTime(async () =>
        verification.verify(job, await documentCase.make(), signal),
      )
      const one = { documentCase, outcome, reasons: crossValidations?.reasons ?? [failureReason ?? ''] }
      judged.push(one)
      before.add(one)
      progress(one, judged.length, cases.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    await Promise.all([faces.stop(), reader.stop()])
  }
  return judged.toSorted((a, b) => cases.indexOf(a.documentCase) - cases.indexOf(b.documentCase))
}

/** The load of the machine must not affect the judgement. */
const patientMs = 300_000
const maxTries = 5

/** Retries a case when an engine timed out. */
async function inTime<Answer>(work: () => Promise<Answer>, tries = maxTries): Promise<Answer> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof DeadlineExceeded) || tries === 1) throw thrown
    return inTime(work, tries - 1)
  }
}

const spread = (index: number): number => (index * 0.618034) % 1

/** An unexpected outcome: a defect that was verified or not named, a genuine document that was not verified. */
export const isUnexpected = ({ documentCase, outcome, reasons }: JudgedCase): boolean =>
  documentCase.defect === 'genuine'
    ? outcome !== 'verified'
    : outcome === 'verified' || !reasons.some((reason) => documentCase.reasons.includes(reason))

const goodConditions = ['clean', 'scan']

/** The acceptance criteria: no defect is verified; genuine, well captured documents are. */
export function figuresOf(judged: readonly JudgedCase[]) {
  const genuine = judged.filter(({ documentCase }) => documentCase.defect === 'genuine')
  const good = genuine.filter(({ documentCase }) => goodConditions.includes(documentCase.condition))
  const defective = judged.filter(({ documentCase }) => documentCase.defect !== 'genuine')
  return {
    documents: judged.length,
    genuine: genuine.length,
    defective: defective.length,
    falseAccepts: defective.filter(({ outcome }) => outcome === 'verified'),
    good: good.length,
    falseRejects: good.filter(({ outcome }) => outcome !== 'verified'),
    falseRejectsElsewhere: genuine.filter(
      ({ documentCase, outcome }) => !goodConditions.includes(documentCase.condition) && outcome !== 'verified',
    ),
    namedWrongly: defective.filter(({ documentCase, reasons }) => !reasons.some((reason) => documentCase.reasons.includes(reason))),
  }
}

/** Returns the report as Markdown. */
export function reportOf(judged: readonly JudgedCase[], date: string): string {
  const { documents, genuine, defective, falseAccepts, good, falseRejects, falseRejectsElsewhere, namedWrongly } = figuresOf(judged)
  const share = (part: number, of: number): string => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`)
  const line = ({ documentCase, outcome, reasons }: JudgedCase): string =>
    `| ${documentCase.kind} | ${documentCase.condition} | ${documentCase.defect} | ${documentCase.printing} | ${outcome} | ${reasons.join(', ')} |`
  const list = (title: string, items: readonly JudgedCase[]): readonly string[] =>
    items.length === 0
      ? []
      : ['', `## ${title}`, '', '| kind | captured | defect | fonts | outcome | reasons |', '|---|---|---|---|---|---|', ...items.map(line)]
  return [
    '# Verification of generated documents',
    '',
    `Made by \`npm run evaluate -- documents\` on ${date}: ${documents} submissions (${genuine} genuine, ${defective} with one defect each), ` +
      'without installed models. Generated faces and cards measure the rules, not accuracy on real photographs ([documents with photographs of people](people.md)).',
    '',
    '| | count | of | share | goal |',
    '|---|---|---|---|---|',
    `| false accepts: a defect, verified | ${falseAccepts.length} | ${defective} | ${share(falseAccepts.length, defective)} | 0 |`,
    `| false rejects: genuine, clean or scanned, not verified | ${falseRejects.length} | ${good} | ${share(falseRejects.length, good)} | under 5 % |`,
    `| the same, poor captures | ${falseRejectsElsewhere.length} | ${genuine - good} | ${share(falseRejectsElsewhere.length, genuine - good)} | reported |`,
    `| a defect, not verified, its reason missing | ${namedWrongly.length} | ${defective} | ${share(namedWrongly.length, defective)} | reported |`,
    ...list('False accepts', falseAccepts),
    ...list('False rejects of clean and scanned documents', falseRejects),
    ...list('Genuine documents in poor captures that were not verified', falseRejectsElsewhere),
    ...list('Defects whose reason is missing', namedWrongly),
    '',
  ].join('\n')
}
