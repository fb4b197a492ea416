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
import { endsSoon } from './ending-keys.ts'
import { KeyDialog, useKeyWords } from './key-dialog.tsx'

type ServiceKey = NonNullable<ServiceKeysQuery['serviceKeys']>['nodes'][number]
const connectionOf = ({ serviceKeys }: ServiceKeysQuery) => serviceKeys
const isExpired = ({ endsAt }: ServiceKey): boolean => endsAt !== null && Date.parse(endsAt) <= Date.now()

type OpenDialog = { readonly task: 'create' } | { readonly task: 'rotate' | 'revoke'; readonly name: string }

/** Service keys: created, replaced and revoked here; those of the settings are listed only. @param isEnding - lists those that end soon */
export function ServiceKeysPage({ isEnding = false }: { isEnding?: boolean }) {
  const { word, named, date, list } = useWords()
  const { word: keyWord } = useKeyWords()
  const pages = usePages(ServiceKeysDocument, { first: 100 }, connectionOf)
  const [open, setOpen] = useState<OpenDialog>()
  useTitle(word('keys.title'))
  const columns = useMemo(
    () => [
      column<ServiceKey>('name', keyWord('keys.name'), ({ name }) => <bdi>{name}</bdi>),
      column<ServiceKey>('scopes', keyWord('keys.scopes'), ({ scopes }) => list(scopes.map((scope) => named('scope', scope)))),
      column<ServiceKey>('source', keyWord('keys.source'), ({ source }) => named('key-source', source)),
      column<ServiceKey>('since', keyWord('keys.since'), ({ createdAt }) => (createdAt === null ? '' : date(createdAt))),
      column<ServiceKey>('until', keyWord('keys.until'), (key) => (
        <>
          {key.endsAt === null ? keyWord('keys.no-end') : date(key.endsAt)}{' '}
          {isExpired(key) && <Badge kind="warn">{keyWord('keys.ended')}</Badge>}
        </>
      )),
      column<ServiceKey>('used', keyWord('keys.used'), ({ lastUsedAt, source }) =>
        lastUsedAt === null ? (source === 'SETTINGS' ? '' : keyWord('keys.never')) : date(lastUsedAt),
      ),
      column<ServiceKey>('change', keyWord('keys.actions'), (key) =>
        key.source === 'SETTINGS' || key.endsAt !== null ? (
          ''
        ) : (
          <div className="row">
            <Button aria-label={keyWord('keys.rotate-one', { name: key.name })} onPress={() => setOpen({ task: 'rotate', name: key.name })}>
              {keyWord('keys.rotate')}
            </Button>
            <Button
              look="danger"
              aria-label={keyWord('keys.revoke-one', { name: key.name })}
              onPress={() => setOpen({ task: 'revoke', name: key.name })}
            >
              {keyWord('keys.revoke')}
            </Button>
          </div>
        ),
      ),
    ],
    [keyWord, named, date, list],
  )
  const close = (): void => setOpen(undefined)
  return (
    <>
      <h1>{word('keys.title')}</h1>
      <p className="lede">{keyWord('keys.lede')}</p>
      <p>
        <Button look="main" onPress={() => setOpen({ task: 'create' })}>
          {keyWord('keys.create')}
        </Button>
      </p>
      {isEnding && (
        <p>
          {word('waiting.keys')}. <a href="#/keys">{keyWord('keys.all')}</a>
        </p>
      )}
      <PagedTable
        pages={pages}
        rows={isEnding ? pages.rows.filter(endsSoon) : pages.rows}
        caption={word('keys.title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={keyWord('keys.empty')}
      />
      <p className="quiet">{keyWord('keys.settings-help')}</p>
      {open?.task === 'revoke' && <RevokeDialog name={open.name} onChanged={pages.reload} onClose={close} />}
      {(open?.task === 'create' || open?.task === 'rotate') && (
        <KeyDialog name={open.task === 'rotate' ? open.name : undefined} onChanged={pages.reload} onClose={close} />
      )}
    </>
  )
}

function RevokeDialog({ name, onChanged, onClose }: { name: string; onChanged: () => void; onClose: () => void }) {
  const { word: keyWord } = useKeyWords()
  const [{ error, fetching }, revoke] = useMutation(RevokeServiceKeyDocument)
  const run = async (): Promise<void> => {
    const { data } = await revoke({ input: { name } })
    if (data?.revokeServiceKey == null) return
    onChanged()
    onClose()
  }
  return (
    <Dialog title={keyWord('keys.revoke-title', { name })} isOpen onClose={onClose}>
      <p>{keyWord('keys.revoke-sure')}</p>
      <Problem error={error} />
      <div className="row">
        <Button autoFocus onPress={onClose}>
          {keyWord('cancel')}
        </Button>
        <Button look="danger" isPending={fetching} onPress={() => void run()}>
          {keyWord('keys.revoke')}
        </Button>
      </div>
    </Dialog>
  )
}
