import { type AuditedDecision, AuditTrailDocument, type AuditTrailQuery } from '@civigraph/client/documents'
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
import { CitizenLink } from '../codes/citizen-link.tsx'
import { dayRange } from '../day-range.ts'
import { useWords } from '../words/words.ts'
import ar from './action-words/ar.json' with { type: 'json' }
import en from './action-words/en.json' with { type: 'json' }
import fr from './action-words/fr.json' with { type: 'json' }
import { type AuditRecord, auditCsv } from './audit-csv.ts'
import { actionsNamed } from './named-actions.ts'

/** The names of audited actions, loaded with the audit trail alone: they are most of the words of that page. */
const useActionWords = dictionary({ fr, en, ar })
const actionPrefix = 'audit-action.'
const actionCodes = Object.keys(en).map((key) => key.slice(actionPrefix.length))

const connectionOf = ({ auditTrail }: AuditTrailQuery) => auditTrail
const outcomes = ['DONE', 'REFUSED'] as const
const decisions: readonly AuditedDecision[] = ['VERIFIED', 'REJECTED', 'BETTER_PHOTOGRAPHS']
const pageRows = 1000
/** per file: the limit of common spreadsheets */
const maxRows = 100_000
const noFilter = { action: '', person: '', citizen: '', target: '', from: '', to: '' }

/** The audit trail, newest first, searched by words, person, day, object and decision, with export of the listed records. */
export function AuditPage() {
  const { word, named, date } = useWords()
  const actions = useActionWords()
  const client = useClient()
  const [texts, setTexts] = useState(noFilter)
  const [outcome, setOutcome] = useState('')
  const [decision, setDecision] = useState('')
  const [saving, setSaving] = useState<number>()
  const [problem, setProblem] = useState<Error>()
  const typed = useDeferredValue(texts)
  const searched = useMemo(
    () => actionsNamed(typed.action, actionCodes, (code) => actions.named('audit-action', code)),
    [typed.action, actions],
  )
  const filter = {
    ...(searched !== undefined && { actions: [...searched] }),
    ...(typed.person.trim() !== '' && { person: typed.person.trim() }),
    ...(typed.citizen.trim() !== ''
      ? { citizenCode: typed.citizen.trim() }
      : typed.target.trim() !== '' && { target: typed.target.trim() }),
    ...(outcome !== '' && { outcome: outcome as (typeof outcomes)[number] }),
    ...(decision !== '' && { decision: decision as AuditedDecision }),
    ...dayRange(typed.from, typed.to),
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
      column<AuditRecord>('who', word('audit.who'), ({ administrator, subject, service }) =>
        subject === null ? (
          (service ?? word('audit.unknown'))
        ) : (
          <button
            type="button"
            className="link"
            title={word('audit.only-person')}
            onClick={() => setTexts((before) => ({ ...before, person: administrator?.email ?? subject }))}
          >
            <bdi>{administrator?.email ?? subject}</bdi>
          </button>
        ),
      ),
      column<AuditRecord>('action', word('audit.did'), (row) => (
        <>
          {actions.named('audit-action', row.action)} <code className="quiet">{row.action}</code>{' '}
          {row.outcome === 'REFUSED' && <Badge kind="warn">{named('audit-outcome', row.outcome)}</Badge>}
        </>
      )),
      column<AuditRecord>('target', word('audit.target'), (row) => <Target record={row} />),
      column<AuditRecord>('details', word('audit.details'), (row) => <Details record={row} />),
    ],
    [word, named, date, actions],
  )
  const set = (name: keyof typeof noFilter) => (value: string) => setTexts({ ...texts, [name]: value })
  return (
    <>
      <h1>{word('audit.title')}</h1>
      <p className="lede">{word('audit.lede')}</p>
      <div className="filters">
        <Field
          label={word('audit.action')}
          value={texts.action}
          onChange={set('action')}
          autoComplete="off"
          help={word('audit.action-help')}
        />
        <Field
          label={word('audit.person')}
          value={texts.person}
          onChange={set('person')}
          autoComplete="off"
          help={word('audit.person-help')}
        />
        <Field label={word('from-day')} type="date" value={texts.from} onChange={set('from')} />
        <Field label={word('to-day')} type="date" value={texts.to} onChange={set('to')} />
        <Field label={word('citizens.code')} value={texts.citizen} onChange={set('citizen')} autoComplete="off" />
        <Field
          label={word('audit.target')}
          value={texts.target}
          onChange={set('target')}
          autoComplete="off"
          help={word('audit.target-help')}
        />
        <Choice
          label={word('audit.decision')}
          anyText={word('any')}
          options={decisions.map((id) => ({ id, text: named('decided', id) }))}
          value={decision}
          onChange={setDecision}
        />
        <Choice
          label={word('audit.outcome')}
          anyText={word('any')}
          options={outcomes.map((id) => ({ id, text: named('audit-outcome', id) }))}
          value={outcome}
          onChange={setOutcome}
        />
        <Button isPending={saving !== undefined} onPress={() => void save()}>
          {saving === undefined ? word('audit.save') : word('audit.saving', { count: saving })}
        </Button>
      </div>
      <Problem error={problem} />
      <PagedTable pages={pages} caption={word('audit.title')} columns={columns} keyOf={({ id }) => id} empty={word('audit.empty')} />
    </>
  )
}

const jobId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The object of an action, as a link where the console shows it. */
function Target({ record: { action, target } }: { record: AuditRecord }) {
  if (target === null) return null
  if (action.startsWith('verification.') && jobId.test(target)) return <a href={`#/verifications/${target}`}>{target}</a>
  // a pseudonym leads to no citizen
  if (action === 'delegations.read' && !target.startsWith('citizen:')) return <CitizenLink code={target} />
  return <code className="whole">{target}</code>
}

/** What was decided, in words; everything else on request. */
function Details({ record: { details, address, requestId } }: { record: AuditRecord }) {
  const { word, named } = useWords()
  const detailOf = (key: string): string => String(details.find((detail) => detail.key === key)?.json ?? '')
  const [decision, reason] = [detailOf('decision').toUpperCase(), detailOf('reason').toUpperCase()]
  return (
    <>
      {decision !== '' && (
        <p className="part">{word('audit.decided', { decision: named('decided', decision), reason: named('decision', reason) })}</p>
      )}
      {detailOf('erasure') !== '' && (
        <p className="part">
          <a href={`#/erasures/${encodeURIComponent(detailOf('erasure'))}`}>{word('audit.certificate')}</a>
        </p>
      )}
      <details className="part">
        <summary>{word('audit.more')}</summary>
        <dl className="facts">
          <dt>{word('audit.address')}</dt>
          <dd>{address ?? word('audit.unknown')}</dd>
          <dt>{word('audit.request')}</dt>
          <dd>
            <code>{requestId}</code>
          </dd>
          {details.map(({ key, json }) => (
            <Detail key={key} name={key} json={json} />
          ))}
        </dl>
      </details>
    </>
  )
}

function Detail({ name, json }: { name: string; json: unknown }) {
  return (
    <>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <code>{typeof json === 'string' ? json : JSON.stringify(json)}</code>
      </dd>
    </>
  )
}
