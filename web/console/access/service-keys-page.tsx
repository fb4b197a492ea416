import { RevokeServiceKeyDocument, ServiceKeysDocument, type ServiceKeysQuery } from '@civigraph/client/documents'
import { useMemo, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { useWords } from '../words/words.ts'
import { KeyDialog } from './key-dialog.tsx'

type ServiceKey = NonNullable<ServiceKeysQuery['serviceKeys']>['nodes'][number]
const connectionOf = ({ serviceKeys }: ServiceKeysQuery) => serviceKeys
const isOver = ({ endsAt }: ServiceKey): boolean => endsAt !== null && Date.parse(endsAt) <= Date.now()

type Open = { readonly task: 'create' } | { readonly task: 'rotate' | 'revoke'; readonly name: string }

/** Service keys: created, replaced and revoked here; those of the settings are listed only. */
export function ServiceKeysPage() {
  const { word, named, date, list } = useWords()
  const pages = usePages(ServiceKeysDocument, { first: 100 }, connectionOf)
  const [open, setOpen] = useState<Open>()
  useTitle(word('keys.title'))
  const columns = useMemo(
    () => [
      column<ServiceKey>('name', word('keys.name'), ({ name }) => <bdi>{name}</bdi>),
      column<ServiceKey>('scopes', word('keys.scopes'), ({ scopes }) => list(scopes.map((scope) => named('scope', scope)))),
      column<ServiceKey>('source', word('keys.source'), ({ source }) => named('key-source', source)),
      column<ServiceKey>('since', word('keys.since'), ({ createdAt }) => (createdAt === null ? '' : date(createdAt))),
      column<ServiceKey>('until', word('keys.until'), (key) => (
        <>
          {key.endsAt === null ? word('keys.no-end') : date(key.endsAt)} {isOver(key) && <Badge kind="warn">{word('keys.ended')}</Badge>}
        </>
      )),
      column<ServiceKey>('used', word('keys.used'), ({ lastUsedAt, source }) =>
        lastUsedAt === null ? (source === 'SETTINGS' ? '' : word('keys.never')) : date(lastUsedAt),
      ),
      column<ServiceKey>('change', word('keys.actions'), (key) =>
        key.source === 'SETTINGS' || key.endsAt !== null ? (
          ''
        ) : (
          <div className="row">
            <Button aria-label={word('keys.rotate-one', { name: key.name })} onPress={() => setOpen({ task: 'rotate', name: key.name })}>
              {word('keys.rotate')}
            </Button>
            <Button
              look="danger"
              aria-label={word('keys.revoke-one', { name: key.name })}
              onPress={() => setOpen({ task: 'revoke', name: key.name })}
            >
              {word('keys.revoke')}
            </Button>
          </div>
        ),
      ),
    ],
    [word, named, date, list],
  )
  const close = (): void => setOpen(undefined)
  return (
    <>
      <h1>{word('keys.title')}</h1>
      <p className="lede">{word('keys.lede')}</p>
      <p>
        <Button look="main" onPress={() => setOpen({ task: 'create' })}>
          {word('keys.create')}
        </Button>
      </p>
      <PagedTable pages={pages} caption={word('keys.title')} columns={columns} keyOf={({ id }) => id} empty={word('keys.empty')} />
      <p className="quiet">{word('keys.settings-help')}</p>
      {open?.task === 'revoke' && <RevokeDialog name={open.name} onChanged={pages.reload} onClose={close} />}
      {(open?.task === 'create' || open?.task === 'rotate') && (
        <KeyDialog name={open.task === 'rotate' ? open.name : undefined} onChanged={pages.reload} onClose={close} />
      )}
    </>
  )
}

function RevokeDialog({ name, onChanged, onClose }: { name: string; onChanged: () => void; onClose: () => void }) {
  const { word } = useWords()
  const [{ error, fetching }, revoke] = useMutation(RevokeServiceKeyDocument)
  const run = async (): Promise<void> => {
    const { data } = await revoke({ input: { name } })
    if (data?.revokeServiceKey == null) return
    onChanged()
    onClose()
  }
  return (
    <Dialog title={word('keys.revoke-title', { name })} isOpen onClose={onClose}>
      <p>{word('keys.revoke-sure')}</p>
      <Problem error={error} />
      <div className="row">
        <Button autoFocus onPress={onClose}>
          {word('cancel')}
        </Button>
        <Button look="danger" isPending={fetching} onPress={() => void run()}>
          {word('keys.revoke')}
        </Button>
      </div>
    </Dialog>
  )
}
