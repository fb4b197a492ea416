import DataLoader from 'dataloader'
import type { RequestContext } from './request-context.ts'

/** Returns the loader of this request with that name, created on first use; loads of one tick are batched. */
export function loader<Key, Value>(
  context: RequestContext,
  name: string,
  batch: (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
): DataLoader<Key, Value> {
  const existing = context.loaders.get(name)
  // each name is used for one type of loader
  if (existing !== undefined) return existing as DataLoader<Key, Value>
  const created = new DataLoader<Key, Value>((keys) => batch(keys), { maxBatchSize: 1000 })
  context.loaders.set(name, created)
  return created
}
