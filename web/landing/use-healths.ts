import { ComponentHealthDocument, type ComponentHealthQuery } from '@civigraph/client/documents'
import { useEffect, useState } from 'react'
import { graphClient } from '../shared/graph/graph-client.ts'
import type { ShownComponent } from './facts.ts'

type ComponentName = ShownComponent['name']
type ReportedHealth = NonNullable<ComponentHealthQuery[ComponentName]>

/** State of a component; `SILENT`: it does not respond. */
export type Health = ReportedHealth | { readonly status: 'SILENT'; readonly checks: ReportedHealth['checks'] }
export type Healths = ReadonlyMap<ComponentName, Health>

const everyMs = 5000
const patienceMs = 4000
const client = graphClient()

/**
 * Reads the state of each component at an interval while the page is visible.
 * @returns undefined until the first responses
 */
export function useHealths(components: readonly ShownComponent[]): Healths | undefined {
  const [healths, setHealths] = useState<Healths>()
  useEffect(() => {
    let isCancelled = false
    let timer: ReturnType<typeof setTimeout>
    const ask = async (): Promise<void> => {
      if (!document.hidden) {
        const entries = await Promise.all(components.map(async ({ name }) => [name, await healthOf(name)] as const))
        if (isCancelled) return
        setHealths(new Map(entries))
      }
      timer = setTimeout(() => void ask(), everyMs)
    }
    void ask()
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [components])
  return healths
}

/** one request each: an unavailable component must not hide the others */
async function healthOf(name: ComponentName): Promise<Health> {
  const fetchOptions = { signal: AbortSignal.timeout(patienceMs) }
  const request = client.query(ComponentHealthDocument, { [name]: true }, { requestPolicy: 'network-only', fetchOptions })
  return (await request.toPromise()).data?.[name] ?? { status: 'SILENT', checks: [] }
}
