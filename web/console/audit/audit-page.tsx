import { AuditTrailDocument, type AuditTrailQuery } from '@civigraph/client/documents'
import { useDeferredValue, useMemo, useState } from 'react'
import { useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { errorOf } from '../../shared/frame/fault-boundary.tsx'
import { saveFile } from '../../shared/frame/page-document.ts'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { dictionary } from '../../shared/words/language.tsx'
import { useWords } from '../words/words.ts'
import ar from './action-words/ar.json' with { type: 'json' }
import en from './action-words/en.json' with { type: 'json' }
import fr from './action-words/fr.json' with { type: 'json' }
import { type AuditRecord, auditCsv } from './audit-csv.ts'

/** The names of audited actions, loaded with the audit trail alone: they are most of the words of that page. */
const useActionWords = dictionary({ fr, en, ar })

const connectionOf = ({ auditTrail }: AuditTrailQuery) => auditTrail
const any = 'any'
const outcomes = ['DONE', 'REFUSED'] as const
const pageRows = 1000
/** per file: the limit of common spreadsheets */
const maxRows = 100_000

/** The audit trail, newest first, with export of the listed records. */
export function AuditPage() {
  const { word, named, date } = useWords()
  const actions = useActionWords()
  const client = useClient()
  const [action, setAction] = useState('')
  const [target, setTarget] = useState('')
  const [outcome, setOutcome] = useState(any)
  const [saving, setSaving] = useState<number>()
  const [problem, setProblem] = useState<Error>()
  const typed = useDeferredValue({ action: action.trim(), target: target.trim() })
  const filter = {
    ...(typed.action !== '' && { action: typed.action }),
    ...(typed.target !== '' && { target: typed.target }),
    ...(outcome !== any && { outcome: outcome as (typeof outcomes)[number] }),
  }
  const pages = usePages(AuditTrailDocument, { first: 100, filter }, connectionOf)
  useTitle(word('audit.title'))

  const save = async (): Promise<void> => {
    setProblem(undefined)
    const rows: AuditRecord[] = []
    try {
      for (let after: string | null | undefined; rows.length < maxRows; ) {
        setSaving(rows.length)
        const variables = { first: pageRows, filter, ...(after != null && { after }) }
        const { data, error } = await client.query(AuditTrailDocument, variables, { requestPolicy: 'network-only' }).toPromise()
        if (error !== undefined) throw error
        const page = data?.auditTrail
        if (page == null) break
        rows.push(...page.nodes)
        after = page.pageInfo.endCursor
        if (!page.pageInfo.hasNextPage) break
      }
      saveFile('audit.csv', 'text/csv', auditCsv(rows))
    } catch (error) {
      setProblem(errorOf(error))
    } finally {
      setSaving(undefined)
    }
  }
  const columns = useMemo(
    () => [
      column<AuditRecord>('at', word('audit.at'), ({ at }) => date(at)),
      column<AuditRecord>(
        'who',
        word('audit.who'),
        ({ administrator, subject, service }) => administrator?.email ?? service ?? subject ?? word('audit.unknown'),
      ),
      column<AuditRecord>('action', word('audit.action'), (row) => (
        <>
          {actions.named('audit-action', row.action)} <code>{row.action}</code>
        </>
      )),
      column<AuditRecord>('outcome', word('audit.outcome'), (row) => (
        <Badge kind={row.outcome === 'DONE' ? 'plain' : 'warn'}>{named('audit-outcome', row.outcome)}</Badge>
      )),
      column<AuditRecord>('target', word('audit.target'), (row) => <code className="cut">{row.target ?? ''}</code>),
      column<AuditRecord>('address', word('audit.address'), ({ address }) => address ?? ''),
    ],
    [word, named, date, actions],
  )
  return (
    <>
      <h1>{word('audit.title')}</h1>
      <p className="lede">{word('audit.lede')}</p>
      <div className="filters">
        <Field
          label={word('audit.action')}
          value={action}
          onChange={setAction}
          autoComplete="off"
          help="citizen.erase, login, verification.review.decide"
        />
        <Field label={word('audit.target')} value={target} onChange={setTarget} autoComplete="off" />
        <Choice
          label={word('audit.outcome')}
          options={[{ id: any, text: word('any') }, ...outcomes.map((id) => ({ id, text: named('audit-outcome', id) }))]}
          value={outcome}
          onChange={setOutcome}
        />
        <Button isPending={saving !== undefined} onPress={() => void save()}>
          {saving === undefined ? word('audit.save') : word('audit.saving', { count: saving })}
        </Button>
      </div>
      <Problem error={pages.problem ?? problem} />
      <PagedTable pages={pages} caption={word('audit.title')} columns={columns} keyOf={({ id }) => id} empty={word('audit.empty')} />
    </>
  )
}
