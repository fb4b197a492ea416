import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { TrashList } from '../../shared/content/trash-list.tsx'
import { useTitle } from '../../shared/frame/title.ts'
import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'

const usual = 'default'

/** What was removed from the content of a tenant, and the way back: of any for a super administrator, of their groups for others. */
export function ContentPage({ tenant }: { tenant: string | undefined }) {
  const { word } = useWords()
  const [, go] = useLocation()
  const { signedIn } = useSession()
  const [isRestored, setRestored] = useState(false)
  const { roles = [], groups = [] } = signedIn?.administrator ?? {}
  const isAny = roles.includes('SUPER_ADMIN')
  const shown = tenant ?? (isAny ? usual : groups[0]?.id)
  useTitle(word('content.title'))
  const open = (id: string): void => {
    setRestored(false)
    go(`/content/${encodeURIComponent(id)}`)
  }
  return (
    <>
      <h1>{word('content.title')}</h1>
      <p className="lede">{word('content.lede')}</p>
      {isAny ? (
        <TenantForm key={shown} tenant={shown ?? usual} onOpen={open} />
      ) : (
        groups.length > 1 && (
          <Choice label={word('content.tenant')} options={groups.map(({ id }) => ({ id, text: id }))} value={shown ?? ''} onChange={open} />
        )
      )}
      {isRestored && <p role="status">{word('content.restored')}</p>}
      {shown === undefined ? (
        <p>{word('content.none')}</p>
      ) : (
        <TrashList key={shown} tenantId={shown} onRestored={() => setRestored(true)} empty={word('content.empty')} />
      )}
    </>
  )
}

function TenantForm({ tenant, onOpen }: { tenant: string; onOpen: (tenant: string) => void }) {
  const { word } = useWords()
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const wanted = String(new FormData(event.currentTarget).get('tenant')).trim()
    const isName = /^[a-z0-9-]{1,63}$/.test(wanted)
    setWrong(!isName)
    if (isName) onOpen(wanted)
  }
  return (
    <form className="column" onSubmit={submit} noValidate>
      <Field
        label={word('content.tenant')}
        help={word('content.tenant-help')}
        problem={isWrong ? word('content.tenant-problem') : undefined}
        name="tenant"
        defaultValue={tenant}
        maxLength={63}
        autoComplete="off"
        spellCheck="false"
      />
      <Button type="submit">{word('content.open')}</Button>
    </form>
  )
}
