import { useState } from 'react'
import { useLocation } from 'wouter'
import { Choice } from '../../components/choice.tsx'
import { TenantForm, usualTenant } from '../../shared/content/tenant-form.tsx'
import { TrashList } from '../../shared/content/trash-list.tsx'
import { useTitle } from '../../shared/frame/title.ts'
import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'

/** What was removed from the content of a tenant, and the way back: of any for a super administrator, of their groups for others. */
export function ContentPage({ tenant }: { tenant: string | undefined }) {
  const { word } = useWords()
  const [, go] = useLocation()
  const { signedIn } = useSession()
  const [isRestored, setRestored] = useState(false)
  const { roles = [], groups = [] } = signedIn?.administrator ?? {}
  const isAny = roles.includes('SUPER_ADMIN')
  const shown = tenant ?? (isAny ? usualTenant : groups[0]?.id)
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
        <TenantForm tenant={shown ?? usualTenant} className="column" onOpen={open} />
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
