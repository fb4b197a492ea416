import {
  type DeadLetterKind,
  DeadLettersDocument,
  type DeadLettersQuery,
  RedriveDeadLettersDocument,
  type RedriveDeadLettersMutation,
} from '@civigraph/client/documents'
import { useMemo, useRef, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { SkippableList } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { useWords } from '../words/words.ts'

type DeadLetter = NonNullable<DeadLettersQuery['deadLetters']>['nodes'][number]
type Report = NonNullable<RedriveDeadLettersMutation['redriveDeadLetters']>
const connectionOf = ({ deadLetters }: DeadLettersQuery) => deadLetters
const kinds: readonly DeadLetterKind[] = ['EXPRESSION', 'MESSAGE']

/** Dead letters, oldest first: the reason, the age, and a retry. */
export function DeadLettersPage() {
  const { word } = useWords()
  useTitle(word('dead.title'))
  return (
    <>
      <p>
        <a href="#/expressions">{word('dead.back')}</a>
      </p>
      <h1>{word('dead.title')}</h1>
      <p className="lede">{word('dead.lede')}</p>
      {kinds.map((kind) => (
        <DeadLetterTable key={kind} kind={kind} />
      ))}
    </>
  )
}

function DeadLetterTable({ kind }: { kind: DeadLetterKind }) {
  const { word, named, date, duration } = useWords()
  const pages = usePages(DeadLettersDocument, { filter: { kind }, first: 50 }, connectionOf)
  const [{ error, fetching }, redrive] = useMutation(RedriveDeadLettersDocument)
  const [report, setReport] = useState<Report>()
  const status = useRef<HTMLParagraphElement>(null)
  const { reload } = pages
  const title = named('dead-kind', kind)
  const { columns, redriveAll } = useMemo(() => {
    const redriveIds = async (ids?: readonly string[]): Promise<void> => {
      const { data } = await redrive({ input: { kind, ...(ids !== undefined && { ids: [...ids] }) } })
      if (data?.redriveDeadLetters == null) return
      setReport(data.redriveDeadLetters)
      // the row of the pressed button may be removed
      status.current?.focus()
      reload()
    }
    return {
      redriveAll: redriveIds,
      columns: [
        column<DeadLetter>('id', word('dead.what'), ({ id }) => (
          <code className="cut" dir="ltr">
            {id}
          </code>
        )),
        column<DeadLetter>('reason', word('dead.reason'), ({ reason }) => (
          <span className="why" dir="auto">
            {reason}
          </span>
        )),
        column<DeadLetter>('at', word('dead.since'), ({ at }) => (
          <time dateTime={at} title={date(at)}>
            {duration(Math.max(0, (Date.now() - Date.parse(at)) / 1000))}
          </time>
        )),
        column<DeadLetter>('again', word('dead.again'), ({ id }) => (
          <Button isPending={fetching} onPress={() => void redriveIds([id])}>
            {word('dead.again')}
          </Button>
        )),
      ],
    }
  }, [word, date, duration, redrive, reload, fetching, kind])
  return (
    <section>
      <h2>{title}</h2>
      <div className="row">
        <Button isPending={fetching} isDisabled={pages.rows.length === 0} onPress={() => void redriveAll()}>
          {word('dead.all')}
        </Button>
        <Button onPress={reload}>{word('reload')}</Button>
      </div>
      <p role="status" ref={status} tabIndex={-1}>
        {report !== undefined && <Summary kind={kind} report={report} />}
      </p>
      <Problem error={error} />
      <SkippableList past={word('list.past')}>
        <PagedTable pages={pages} caption={title} columns={columns} keyOf={({ id }) => id} empty={word('dead.empty')} />
      </SkippableList>
    </section>
  )
}

/** The result of a retry. */
function Summary({ kind, report }: { kind: DeadLetterKind; report: Report }) {
  const { word } = useWords()
  const { written, waiting, failed, unknown, remaining } = report
  return (
    <>
      {kind === 'MESSAGE' ? word('dead.sent', { waiting, remaining }) : word('dead.done', { written, waiting, failed, remaining })}
      {unknown > 0 && ` ${word('dead.gone', { count: unknown })}`}
    </>
  )
}
