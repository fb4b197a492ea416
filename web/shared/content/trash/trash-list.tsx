import { useCallback, useEffect, useMemo, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Problem } from '../../../components/problem.tsx'
import { errorOf } from '../../frame/fault-boundary.tsx'
import { useSession } from '../../session/session.tsx'
import { contentTrash, type RemovedContent } from './content-trash.ts'
import './trash.css'
import { useContentWords } from '../words/words.ts'

export interface TrashListProps {
  readonly tenantId: string
  /** @param id - of the restored text */
  readonly onRestored: (id: string) => void
  /** shown for an empty trash; absent: shows nothing */
  readonly empty?: string
}

interface TrashPage {
  readonly items: readonly RemovedContent[]
  /** cursor of the next page; undefined: last page */
  readonly next: string | undefined
}

/** The trash of a tenant's tree, latest first: who deleted each entry, when it expires, and its actions. */
export function TrashList({ tenantId, onRestored, empty }: TrashListProps) {
  const { word } = useContentWords()
  const { signedIn, send } = useSession()
  const isNamed = signedIn?.administrator.roles.includes('SUPER_ADMIN') === true
  const trash = useMemo(() => contentTrash(send, tenantId, isNamed), [send, tenantId, isNamed])
  const [listed, setListed] = useState<TrashPage>()
  const [purging, setPurging] = useState<RemovedContent>()
  const [busy, setBusy] = useState<string>()
  const [error, setError] = useState<Error>()

  const load = useCallback(
    async (after?: string): Promise<void> => {
      const { nodes, pageInfo } = await trash.read(after)
      const next = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined
      setListed((before) => ({ items: after === undefined ? nodes : [...(before?.items ?? []), ...nodes], next }))
    },
    [trash],
  )
  useEffect(() => {
    setListed(undefined)
    setError(undefined)
    load().catch(setError)
  }, [load])

  const run = async (id: string, work: () => Promise<void>): Promise<void> => {
    setBusy(id)
    setError(undefined)
    try {
      await work()
    } catch (refusal) {
      setError(errorOf(refusal))
    } finally {
      setBusy(undefined)
    }
  }
  const restore = (id: string): Promise<void> =>
    run(id, async () => {
      const restored = await trash.restore(id)
      await load()
      onRestored(restored)
    })
  const purge = (id: string): Promise<void> =>
    run(id, async () => {
      setPurging(undefined)
      await trash.purge(id)
      await load()
    })

  const isEmpty = listed === undefined || listed.items.length === 0
  if (isEmpty && error === undefined && empty === undefined) return null
  return (
    <section aria-labelledby="trash">
      <h2 id="trash">{word('trash.title')}</h2>
      <Problem error={error} />
      {isEmpty ? (
        <p className="quiet">{listed === undefined && error === undefined ? word('loading') : error === undefined && empty}</p>
      ) : (
        <ul className="trash">
          {listed.items.map((item) => (
            <li key={item.id}>
              <TrashEntry item={item} isBusy={busy === item.id} onRestore={() => void restore(item.id)} onPurge={() => setPurging(item)} />
            </li>
          ))}
        </ul>
      )}
      {listed?.next !== undefined && <Button onPress={() => void run('', () => load(listed.next))}>{word('more')}</Button>}
      <Dialog
        title={word('purge.title', { title: purging?.title ?? '' })}
        isOpen={purging !== undefined}
        onClose={() => setPurging(undefined)}
      >
        <p>{word('purge.about', { count: purging?.nodesCount ?? 1 })}</p>
        <div className="row">
          <Button onPress={() => setPurging(undefined)}>{word('cancel')}</Button>
          <Button look="danger" onPress={() => void (purging && purge(purging.id))}>
            {word('purge.do')}
          </Button>
        </div>
      </Dialog>
    </section>
  )
}

interface TrashEntryProps {
  readonly item: RemovedContent
  readonly isBusy: boolean
  readonly onRestore: () => void
  readonly onPurge: () => void
}

function TrashEntry({ item, isBusy, onRestore, onPurge }: TrashEntryProps) {
  const { word, date } = useContentWords()
  const { signedIn } = useSession()
  const { title, nodesCount, removedAt, expiresAt, removedBy, removedByService } = item
  const self = removedBy !== null && removedBy?.id === signedIn?.administrator.id
  const who = self ? word('trash.yourself') : (removedBy?.name ?? removedBy?.email ?? removedByService ?? word('trash.other'))
  return (
    <>
      <p>
        <bdi lang={item.locale ?? undefined}>{title}</bdi> <span className="quiet">{word('trash.texts', { count: nodesCount })}</span>
        <br />
        <span className="quiet">{word('trash.at', { moment: date(removedAt), who, until: date(expiresAt) })}</span>
      </p>
      <div className="row">
        <Button isPending={isBusy} onPress={onRestore}>
          {word('trash.restore', { title })}
        </Button>
        <Button look="danger" onPress={onPurge}>
          {word('trash.purge', { title })}
        </Button>
      </div>
    </>
  )
}
