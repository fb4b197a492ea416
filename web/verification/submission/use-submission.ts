import { useCallback, useMemo, useRef, useState } from 'react'
import { fitPhotograph } from '../photographs/fit-photograph.ts'
import { type FittedPhotograph, UnfitPhotograph } from '../photographs/fitting.ts'
import { followJob, type JobProgress } from '../progress/follow-job.ts'
import {
  type AcceptedJob,
  type Result,
  type Submission,
  type VerificationService,
  verificationService,
} from '../progress/verification-service.ts'
import {
  type Draft,
  type DraftTexts,
  draftOf,
  emptyDraft,
  type FieldName,
  type PhotographName,
  submissionOf,
  type TextName,
} from './draft.ts'
import { type FormProblem, problemsOf, problemsOfDraft } from './problems.ts'

/** A photo of the form with its conversion result. */
export interface Photograph {
  readonly content?: Blob
  readonly isFitting?: boolean
  readonly changes?: FittedPhotograph['changes']
  readonly failure?: UnfitPhotograph['problem']
}

/** State of a submission. */
export type Progress =
  | { readonly step: 'none' | 'sending' }
  | ({ readonly accepted: AcceptedJob } & JobProgress)
  | { readonly step: 'finished'; readonly result: Result; readonly service: VerificationService }

export interface SubmissionState {
  readonly texts: DraftTexts
  readonly photographs: Readonly<Partial<Record<PhotographName, Photograph>>>
  readonly problems: readonly FormProblem[]
  /** number of the attempt that the problems belong to */
  readonly attempt: number
  readonly progress: Progress
  setText(name: TextName, value: string): void
  /** Converts a photo and puts it into the form. @param file - undefined removes the photo */
  take(name: PhotographName, file: Blob | undefined): Promise<void>
  /** Submits the form, or the given request. Input is never lost. */
  send(instead?: Submission): Promise<void>
  /** shows the form again, with its input */
  leaveResult(): void
  /** empties the form, except for the key of the service */
  clear(): void
}

/** The form and its submission; the state outlives the views that show it. */
export function useSubmission(): SubmissionState {
  const [texts, setTexts] = useState(emptyDraft.texts)
  const [photographs, setPhotographs] = useState<SubmissionState['photographs']>({})
  const [{ problems, attempt }, setProblems] = useState<Pick<SubmissionState, 'problems' | 'attempt'>>({ problems: [], attempt: 0 })
  const [progress, setProgress] = useState<Progress>({ step: 'none' })
  // idempotency key of equal content until it is accepted, so that a lost response creates no second job
  const sent = useRef({ content: '', key: '' })
  const isSending = useRef(false)

  const showProblems = useCallback(
    (list: readonly FormProblem[]) => setProblems(({ attempt: last }) => ({ problems: list, attempt: last + 1 })),
    [],
  )
  const solved = useCallback((field: FieldName) => {
    setProblems((before) => ({ ...before, problems: before.problems.filter((problem) => problem.field !== field) }))
  }, [])
  const setText = useCallback(
    (name: TextName, value: string) => {
      setTexts((before) => ({ ...before, [name]: value }))
      solved(name)
    },
    [solved],
  )
  const take = useCallback(
    async (name: PhotographName, file: Blob | undefined): Promise<void> => {
      const put = (photograph: Photograph): void => setPhotographs((before) => ({ ...before, [name]: photograph }))
      if (file === undefined) return put({})
      put({ isFitting: true })
      try {
        const { content, changes } = await fitPhotograph(file)
        put({ content, changes })
        solved(name)
      } catch (error) {
        put({ failure: error instanceof UnfitPhotograph ? error.problem : 'unreadable' })
      }
    },
    [solved],
  )

  const run = useCallback(
    async (draft: Draft): Promise<void> => {
      if (isSending.current) return
      const wrong = problemsOfDraft(draft)
      showProblems(wrong)
      if (wrong.length > 0) return
      isSending.current = true
      setProgress({ step: 'sending' })
      const service = verificationService(draft.texts.key)
      const live = service.listen()
      try {
        const submission = await submissionOf(draft)
        const content = JSON.stringify(submission)
        if (sent.current.content !== content) sent.current = { content, key: newKey() }
        const accepted = await service.submit(submission, sent.current.key)
        sent.current = { content: '', key: '' }
        setProgress({ accepted, step: 'queued', isLost: false })
        const result = await followJob(service, live, accepted.job_id, (standing) => setProgress({ accepted, ...standing }))
        setProgress({ step: 'finished', result, service })
      } catch (error) {
        showProblems(problemsOf(error))
        setProgress({ step: 'none' })
      } finally {
        live.close()
        isSending.current = false
      }
    },
    [showProblems],
  )

  return useMemo(
    () => ({
      texts,
      photographs,
      problems,
      attempt,
      progress,
      setText,
      take,
      async send(instead) {
        if (instead === undefined) {
          const contents = Object.entries(photographs).flatMap(([name, { content }]) => (content === undefined ? [] : [[name, content]]))
          return run({ texts, photographs: Object.fromEntries(contents) })
        }
        const draft = draftOf(instead, texts.key)
        setTexts(draft.texts)
        setPhotographs(Object.fromEntries(Object.entries(draft.photographs).map(([name, content]) => [name, { content }])))
        return run(draft)
      },
      leaveResult: () => setProgress({ step: 'none' }),
      clear() {
        setTexts((before) => ({ ...emptyDraft.texts, key: before.key }))
        setPhotographs({})
        setProblems({ problems: [], attempt: 0 })
      },
    }),
    [texts, photographs, problems, attempt, progress, setText, take, run],
  )
}

/** `crypto.randomUUID` needs a secure context. */
const newKey = (): string => [...crypto.getRandomValues(new Uint32Array(4))].map((each) => each.toString(36)).join('-')
