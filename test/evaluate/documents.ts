import { availableParallelism, loadavg } from 'node:os'
import { threadedDocumentReader } from '../../engines/document-reader/worker/threaded-document-reader.ts'
import type { FaceAnalyser } from '../../engines/face-analyser/face-analyser.ts'
import { onnxFaceAnalyser } from '../../engines/face-analyser/onnx-face-analyser.ts'
import { installedPackage } from '../../engines/inference/installed-models.ts'
import { DeadlineExceeded } from '../../foundation/fault.ts'
import { silentLog } from '../../foundation/log.ts'
import { defaultThresholds } from '../../subgraphs/verification/assessment/thresholds.ts'
import { VerifyIdentity } from '../../subgraphs/verification/assessment/verify-identity.ts'
import type { JobRow } from '../../subgraphs/verification/tables.ts'
import { type DocumentCase, documentCases } from './document-cases.ts'
import { type Judged, JudgedBefore } from './judged-before.ts'
import { WatchedFaces } from './watched-faces.ts'

/** The day that documents are made for and judged on: the figures do not change with the calendar. */
const today = '2026-07-01'

export interface Evaluation {
  /** what is judged; asked once the faces can be looked at */
  readonly casesWith: (faces: FaceAnalyser, today: string, signal: AbortSignal) => Promise<readonly DocumentCase[]>
  /** where models may be installed; absent: those that come with the platform alone */
  readonly modelsFolder?: string
  /** keeps what was judged, for a run after an interruption; absent: nothing is kept */
  readonly journal?: string | undefined
  /** told after each case */
  readonly progress: (judged: Judged, done: number, of: number) => void
}

/** Those whose kind, condition or defect holds the word. */
export const drawnCases =
  (wanted: string): Evaluation['casesWith'] =>
  async (_faces, today) =>
    documentCases(today).filter((made) => isAbout(made, wanted))

export const isAbout = ({ kind, condition, defect }: DocumentCase, word: string): boolean => `${kind} ${condition} ${defect}`.includes(word)

/** Puts every made document through the real models and rules, as the worker does, without queue and database. */
export async function evaluateDocuments({ casesWith, modelsFolder, journal, progress }: Evaluation): Promise<readonly Judged[]> {
  const signal = new AbortController().signal
  const lanes = Math.max(2, Math.min(8, availableParallelism()))
  const sface = modelsFolder === undefined ? undefined : installedPackage(modelsFolder, 'face-descriptor')
  const ocr = modelsFolder === undefined ? undefined : installedPackage(modelsFolder, 'document-reader')
  const faces = onnxFaceAnalyser({ threads: Math.ceil(lanes / 2), executionProviders: ['cpu'], sface, log: silentLog })
  const reader = threadedDocumentReader({ threads: lanes, executionProviders: ['cpu'], ocr, timeoutMs: patientMs, log: silentLog })
  const certificatesOf = async () => ({ authorities: [], revocationLists: [], anyImported: false })
  await Promise.all([faces.start(signal), reader.start(signal)])
  const cases = await casesWith(faces, today, signal)
  const before = new JudgedBefore(journal, cases)
  const judged: Judged[] = [...before.read()]
  const known = new Set(judged.map(({ made }) => made))
  // not kind by kind: what is wrong with one of them shows early
  const order = cases.filter((made) => !known.has(made)).toSorted((a, b) => spread(cases.indexOf(a)) - spread(cases.indexOf(b)))
  let next = 0
  const lane = async (): Promise<void> => {
    const watched = new WatchedFaces(faces)
    const verification = new VerifyIdentity({
      certificatesOf,
      challengeOf: async () => undefined,
      chipChallengeOf: async () => undefined,
      faces: watched,
      reader,
      clock: { now: () => Date.parse(today) },
      thresholds: defaultThresholds,
    })
    for (let made = order[next++]; made !== undefined; made = order[next++]) {
      // the rules look at no other column
      const job = { documentType: made.documentType, countryCode: made.countryCode } as JobRow
      const { outcome, crossValidations, failureReason } = await inTime(async () => verification.verify(job, await made.make(), signal))
      const one = { made, outcome, reasons: crossValidations?.reasons ?? [failureReason ?? ''], printedWidth: watched.printedWidth }
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
  return judged.toSorted((a, b) => cases.indexOf(a.made) - cases.indexOf(b.made))
}

/** How well documents are judged does not depend on how busy the machine is. */
const patientMs = 300_000
const maxTries = 5

/** Once more where an engine had no time. */
async function inTime<Answer>(work: () => Promise<Answer>, tries = maxTries): Promise<Answer> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof DeadlineExceeded) || tries === 1) throw thrown
    return inTime(work, tries - 1)
  }
}

const spread = (index: number): number => (index * 0.618034) % 1

/** Not as it should be: a defect that was verified or not named, a genuine document that was not verified. */
export const isUnexpected = ({ made, outcome, reasons }: Judged): boolean =>
  made.defect === 'genuine' ? outcome !== 'verified' : outcome === 'verified' || !reasons.some((reason) => made.reasons.includes(reason))

const goodConditions = ['clean', 'scan']

/** What counts: nothing with a defect is verified; what is genuine and well captured is. */
export function figuresOf(judged: readonly Judged[]) {
  const genuine = judged.filter(({ made }) => made.defect === 'genuine')
  const good = genuine.filter(({ made }) => goodConditions.includes(made.condition))
  const defective = judged.filter(({ made }) => made.defect !== 'genuine')
  return {
    documents: judged.length,
    genuine: genuine.length,
    defective: defective.length,
    falseAccepts: defective.filter(({ outcome }) => outcome === 'verified'),
    good: good.length,
    falseRejects: good.filter(({ outcome }) => outcome !== 'verified'),
    falseRejectsElsewhere: genuine.filter(({ made, outcome }) => !goodConditions.includes(made.condition) && outcome !== 'verified'),
    namedWrongly: defective.filter(({ made, reasons }) => !reasons.some((reason) => made.reasons.includes(reason))),
  }
}

/** The report in Markdown. */
export function reportOf(judged: readonly Judged[], seconds: number, date: string): string {
  const { documents, genuine, defective, falseAccepts, good, falseRejects, falseRejectsElsewhere, namedWrongly } = figuresOf(judged)
  const share = (part: number, of: number): string => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`)
  const line = ({ made, outcome, reasons }: Judged): string =>
    `| ${made.kind} | ${made.condition} | ${made.defect} | ${made.printing} | ${outcome} | ${reasons.join(', ')} |`
  const list = (title: string, items: readonly Judged[]): readonly string[] =>
    items.length === 0
      ? []
      : ['', `## ${title}`, '', '| kind | captured | defect | fonts | outcome | reasons |', '|---|---|---|---|---|---|', ...items.map(line)]
  return [
    '# Verification of generated documents',
    '',
    `Made by \`npm run evaluate -- documents\` on ${date}: ${documents} submissions (${genuine} genuine, ${defective} with one defect each), ` +
      `generated by the project and processed by the worker’s models and rules, in ${Math.round(seconds)} s ` +
      `(load ${loadavg()[0]?.toFixed(1)}). Generated faces and cards test the integration and the rules, not accuracy on real photographs.`,
    '',
    '| | count | of | share | goal |',
    '|---|---|---|---|---|',
    `| false accepts: a defect, verified | ${falseAccepts.length} | ${defective} | ${share(falseAccepts.length, defective)} | 0 |`,
    `| false rejects: genuine, clean or scanned, not verified | ${falseRejects.length} | ${good} | ${share(falseRejects.length, good)} | under 5 % |`,
    `| the same, poor captures | ${falseRejectsElsewhere.length} | ${genuine - good} | ${share(falseRejectsElsewhere.length, genuine - good)} | reported |`,
    `| a defect, not verified, its reason missing | ${namedWrongly.length} | ${defective} | ${share(namedWrongly.length, defective)} | reported |`,
    ...table(
      'Genuine documents, by capture',
      judged.filter(({ made }) => made.defect === 'genuine'),
      ({ condition }) => condition,
    ),
    ...table(
      'Genuine documents, by kind',
      judged.filter(({ made }) => made.defect === 'genuine'),
      ({ kind }) => kind,
    ),
    ...table(
      'Genuine documents, by fonts and background',
      judged.filter(({ made }) => made.defect === 'genuine'),
      ({ printing }) => printing,
    ),
    ...table(
      'Documents with one defect',
      judged.filter(({ made }) => made.defect !== 'genuine'),
      ({ defect }) => defect,
    ),
    ...list('False accepts', falseAccepts),
    ...list('False rejects of clean and scanned documents', falseRejects),
    ...list('Genuine documents in poor captures that were not verified', falseRejectsElsewhere),
    ...list('Defects whose reason is missing', namedWrongly),
    '',
  ].join('\n')
}

function table(title: string, judged: readonly Judged[], by: (made: DocumentCase) => string): readonly string[] {
  const rows = [...Map.groupBy(judged, ({ made }) => by(made))].map(([name, group]) => {
    const count = (outcome: string): number => group.filter((one) => one.outcome === outcome).length
    return `| ${name} | ${['verified', 'pending_review', 'rejected', 'error'].map(count).join('/')} |`
  })
  return ['', `## ${title}`, '', '| | verified/review/rejected/error |', '|---|---|', ...rows]
}
