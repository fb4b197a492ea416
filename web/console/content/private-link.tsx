import { CreateContentLinkDocument, PrivateTenantDocument, RevokeContentLinkDocument } from '@civigraph/client/documents'
import { useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Problem } from '../../components/problem.tsx'
import { dictionary } from '../../shared/words/language.tsx'
import ar from './link-words/ar.json' with { type: 'json' }
import en from './link-words/en.json' with { type: 'json' }
import fr from './link-words/fr.json' with { type: 'json' }

const useLinkWords = dictionary({ fr, en, ar })

const lifetimes = [1, 7, 30] as const
const dayMs = 86_400_000
/** the server refuses an end beyond 30 days by its own clock */
const marginMs = 60_000

/** Creates and revokes signed links to a private tenant; shows nothing for a public one. */
export function PrivateLink({ tenantId }: { tenantId: string }) {
  const { word, date } = useLinkWords()
  const [{ data }] = useQuery({ query: PrivateTenantDocument, variables: { tenantId } })
  const [{ data: created, error, fetching }, create] = useMutation(CreateContentLinkDocument)
  const [days, setDays] = useState('7')
  if (data?.contentRoot?.isPrivate !== true) return null
  const link = created?.createContentLink
  const submit = (): void => {
    const expiresAt = new Date(Date.now() + Number(days) * dayMs - marginMs).toISOString()
    void create({ input: { tenantId, expiresAt } })
  }
  return (
    <section aria-labelledby="private-link">
      <h2 id="private-link">{word('link.title')}</h2>
      <p>{word('link.lede')}</p>
      <Problem error={error} />
      <div className="column">
        <Choice
          label={word('link.days')}
          options={lifetimes.map((count) => ({ id: String(count), text: word('link.day', { count }) }))}
          value={days}
          onChange={setDays}
        />
        <Button isPending={fetching} onPress={submit}>
          {word('link.create')}
        </Button>
        {link != null && (
          <Field label={word('link.url')} value={link.url} isReadOnly help={word('link.until', { date: date(link.expiresAt) })} />
        )}
      </div>
      <RevokeLink tenantId={tenantId} />
    </section>
  )
}

function RevokeLink({ tenantId }: { tenantId: string }) {
  const { word } = useLinkWords()
  const [{ data, error, fetching }, revoke] = useMutation(RevokeContentLinkDocument)
  const [link, setLink] = useState('')
  const submit = async (): Promise<void> => {
    const { data: done } = await revoke({ input: { tenantId, link } })
    if (done?.revokeContentLink != null) setLink('')
  }
  return (
    <>
      <h3>{word('link.revoke')}</h3>
      <Form
        error={error}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Field name="link" label={word('link.revoked-link')} value={link} onChange={setLink} isRequired maxLength={2000} />
        <Button type="submit" isPending={fetching}>
          {word('link.revoke-now')}
        </Button>
      </Form>
      {data?.revokeContentLink != null && link === '' && <p role="status">{word('link.revoked')}</p>}
    </>
  )
}
