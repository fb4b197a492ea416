import {
  type ModerationCause,
  ModerationDecisionsDocument,
  type ModerationDecisionsQuery,
  ModerationQueueDocument,
  type ModerationQueueQuery,
  type ModerationReason,
  type ModerationState,
  UndoWithdrawalDocument,
} from '@civigraph/client/documents'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { SkippableList } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { DecisionDialog, type ModerationCase } from './decision-dialog.tsx'
import { moderationReasons, useModerationWords } from './moderation-words.ts'

type DecidedCase = NonNullable<ModerationDecisionsQuery['moderationDecisions']>['nodes'][number]
const queueOf = ({ moderationQueue }: ModerationQueueQuery) => moderationQueue
const decisionsOf = ({ moderationDecisions }: ModerationDecisionsQuery) => moderationDecisions
const causes: readonly ModerationCause[] = ['REPORTED', 'TOXIC']
const states: readonly ModerationState[] = ['WITHDRAWN', 'LEFT', 'RELEASED', 'RESTORED']

/** Expressions that wait for a moderator, and the decided ones. */
export function ModerationPage() {
  const { word } = useModerationWords()
  const [reloadKey, setReloadKey] = useState(0)
  useTitle(word('moderation.title'))
  return (
    <>
      <p>
        <a href="#/expressions">{word('moderation.back')}</a>
      </p>
      <h1>{word('moderation.title')}</h1>
      <p className="lede">{word('moderation.lede')}</p>
      <Queue onDecided={() => setReloadKey(reloadKey + 1)} />
      <Decisions reloadKey={reloadKey} />
    </>
  )
}

function Queue({ onDecided }: { onDecided: () => void }) {
  const { word, named, percent, date, duration, list } = useModerationWords()
  const [cause, setCause] = useState('')
  const [reason, setReason] = useState('')
  const [held, setHeld] = useState('')
  const [chosen, choose] = useState<ModerationCase>()
  const [notice, setNotice] = useState<string>()
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // the dialog would return the focus to a removed row
    if (notice !== undefined) status.current?.focus()
  }, [notice])
  const filter = {
    ...(cause !== '' && { cause: cause as ModerationCause }),
    ...(reason !== '' && { reportReason: reason as ModerationReason }),
    ...(held !== '' && { isHeld: held === 'held' }),
  }
  const pages = usePages(ModerationQueueDocument, { first: 50, filter }, queueOf)
  const columns = useMemo(
    () => [
      column<ModerationCase>('text', word('moderation.text'), (row) => (
        <button type="button" className="said" dir="auto" lang={row.lang ?? undefined} onClick={() => choose(row)}>
          {row.text}
        </button>
      )),
      column<ModerationCase>('why', word('moderation.why'), ({ isHeld, reportCount, toxicity }) => (
        <>
          {isHeld && <Badge kind="warn">{word('moderation.held')}</Badge>}{' '}
          {reportCount > 0 && <Badge kind="plain">{word('moderation.reports', { count: reportCount })}</Badge>}{' '}
          {list((toxicity?.flags ?? []).map((flag) => named('toxicity', flag)))}
        </>
      )),
      column<ModerationCase>('score', word('moderation.toxicity'), ({ toxicity }) => (toxicity == null ? '' : percent(toxicity.score))),
      column<ModerationCase>('since', word('moderation.since'), ({ openedAt }) => (
        <time dateTime={openedAt} title={date(openedAt)}>
          {duration(Math.max(0, (Date.now() - Date.parse(openedAt)) / 1000))}
        </time>
      )),
    ],
    [word, named, percent, date, duration, list],
  )
  return (
    <section>
      <h2>{word('moderation.waiting')}</h2>
      <div className="filters">
        <Choice
          label={word('moderation.cause')}
          anyText={word('any')}
          options={causes.map((id) => ({ id, text: named('moderation-cause', id) }))}
          value={cause}
          onChange={setCause}
        />
        <Choice
          label={word('moderation.reported-for')}
          anyText={word('any')}
          options={moderationReasons.map((id) => ({ id, text: named('moderation-reason', id) }))}
          value={reason}
          onChange={setReason}
        />
        <Choice
          label={word('moderation.publication')}
          anyText={word('any')}
          options={[
            { id: 'held', text: word('moderation.held') },
            { id: 'public', text: word('moderation.public') },
          ]}
          value={held}
          onChange={setHeld}
        />
        <Button onPress={pages.reload}>{word('reload')}</Button>
      </div>
      <p role="status" ref={status} tabIndex={-1}>
        {notice}
      </p>
      <SkippableList past={word('list.past')}>
        <PagedTable
          pages={pages}
          caption={word('moderation.waiting')}
          columns={columns}
          keyOf={({ id }) => id}
          empty={word('moderation.empty')}
        />
      </SkippableList>
      {chosen !== undefined && (
        <DecisionDialog
          key={chosen.id}
          waiting={chosen}
          onClose={() => choose(undefined)}
          onStale={pages.reload}
          onDecided={(state) => {
            choose(undefined)
            setNotice(named('moderation-done', state))
            pages.reload()
            onDecided()
          }}
        />
      )}
    </section>
  )
}

/** @param reloadKey - the list is read again when it changes */
function Decisions({ reloadKey }: { reloadKey: number }) {
  const { word, named, date } = useModerationWords()
  const [state, setState] = useState<string>('WITHDRAWN')
  const filter = state === '' ? {} : { states: [state as ModerationState] }
  const pages = usePages(ModerationDecisionsDocument, { first: 50, filter }, decisionsOf)
  const [{ error, fetching }, undo] = useMutation(UndoWithdrawalDocument)
  const [notice, setNotice] = useState<string>()
  const status = useRef<HTMLParagraphElement>(null)
  const { reload } = pages
  const isFirst = useRef(true)
  useEffect(() => {
    if (reloadKey > 0 || !isFirst.current) reload()
    isFirst.current = false
  }, [reloadKey, reload])
  const columns = useMemo(() => {
    const undoOne = async (id: string): Promise<void> => {
      const { data } = await undo({ input: { id } })
      if (data?.undoWithdrawal != null) setNotice(named('moderation-done', 'RESTORED'))
      // the row of the pressed button may be removed
      status.current?.focus()
      reload()
    }
    return [
      column<DecidedCase>('text', word('moderation.text'), ({ text, lang }) => (
        <span dir="auto" lang={lang ?? undefined}>
          {text}
        </span>
      )),
      column<DecidedCase>('state', word('moderation.decision'), ({ state: decided, reason, note }) => (
        <>
          <Badge kind={decided === 'WITHDRAWN' ? 'bad' : 'plain'}>{named('moderation-state', decided)}</Badge>{' '}
          {reason !== null && named('moderation-reason', reason)}
          {note !== null && (
            <p className="part quiet" dir="auto">
              {note}
            </p>
          )}
        </>
      )),
      column<DecidedCase>('by', word('moderation.by'), ({ administrator, decidedAt }) => (
        <>
          <bdi>{administrator?.name ?? administrator?.email ?? administrator?.id}</bdi>{' '}
          <span className="part quiet">{decidedAt !== null && date(decidedAt)}</span>
        </>
      )),
      column<DecidedCase>('undo', word('moderation.undo'), ({ id, undoableUntil }) =>
        undoableUntil === null ? (
          ''
        ) : (
          <>
            <Button isPending={fetching} onPress={() => void undoOne(id)}>
              {word('moderation.undo')}
            </Button>{' '}
            <span className="part quiet">{word('moderation.until', { moment: date(undoableUntil) })}</span>
          </>
        ),
      ),
    ]
  }, [word, named, date, undo, fetching, reload])
  return (
    <section>
      <h2>{word('moderation.decided')}</h2>
      <p>{word('moderation.decided-lede')}</p>
      <div className="filters">
        <Choice
          label={word('moderation.decision')}
          anyText={word('any')}
          options={states.map((id) => ({ id, text: named('moderation-state', id) }))}
          value={state}
          onChange={setState}
        />
      </div>
      <p role="status" ref={status} tabIndex={-1}>
        {notice}
      </p>
      <Problem error={error} />
      <SkippableList past={word('list.past')}>
        <PagedTable
          pages={pages}
          caption={word('moderation.decided')}
          columns={columns}
          keyOf={({ id }) => id}
          empty={word('moderation.none-decided')}
        />
      </SkippableList>
    </section>
  )
}
