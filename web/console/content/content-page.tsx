import { useState } from 'react'
import { useLocation } from 'wouter'
import { Choice } from '../../components/choice.tsx'
import { defaultTenant, TenantForm } from '../../shared/content/tenant-form.tsx'
import { TrashList } from '../../shared/content/trash/trash-list.tsx'
import { useWriter } from '../../shared/content/writing/writer.ts'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'
import { PrivateLink } from './private-link.tsx'
import { addressOfText, TreeEditor } from './tree-editor.tsx'

export interface ContentPageProps {
  /** undefined: the user's first tenant */
  readonly tenant: string | undefined
  /** the displayed text; undefined: the root of the tenant */
  readonly id: string | undefined
}

/** The content of a tenant with its trash: any tenant for a super administrator, those of their groups for others. */
export function ContentPage({ tenant, id }: ContentPageProps) {
  const { word } = useWords()
  const [, go] = useLocation()
  const { signedIn } = useSession()
  const { roles = [], groups = [] } = signedIn?.administrator ?? {}
  const isAny = roles.includes('SUPER_ADMIN')
  const shown = tenant ?? (isAny ? defaultTenant : groups[0]?.id)
  useTitle(word('content.title'))
  const open = (wanted: string): void => go(addressOfText(wanted, undefined))
  return (
    <>
      <h1>{word('content.title')}</h1>
      <p className="lede">{word('content.lede')}</p>
      {isAny ? (
        <TenantForm tenant={shown ?? defaultTenant} className="column" onOpen={open} />
      ) : (
        groups.length > 1 && (
          <Choice label={word('content.tenant')} options={groups.map(({ id }) => ({ id, text: id }))} value={shown ?? ''} onChange={open} />
        )
      )}
      {shown === undefined ? <p>{word('content.none')}</p> : <TenantContent key={shown} tenantId={shown} id={id} />}
    </>
  )
}

/** The tree of texts with the trash below it. */
function TenantContent({ tenantId, id }: { tenantId: string; id: string | undefined }) {
  const { word } = useWords()
  const writer = useWriter(tenantId)
  const [isRestored, setRestored] = useState(false)
  const trash = (reload: () => void, reloadKey: number) => (
    <>
      {isRestored && <p role="status">{word('content.restored')}</p>}
      <TrashList
        key={reloadKey}
        tenantId={tenantId}
        empty={word('content.empty')}
        onRestored={() => {
          reload()
          setRestored(true)
        }}
      />
    </>
  )
  if (writer === undefined) return trash(() => undefined, 0)
  return (
    <>
      <PrivateLink tenantId={tenantId} />
      <TreeEditor tenantId={tenantId} id={id} writer={writer} below={trash} />
    </>
  )
}
