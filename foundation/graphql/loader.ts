import DataLoader from 'dataloader'
import type { RequestContext } from './request-context.ts'

/** The loader of this request under that name, made on first use: what is asked for in one tick is fetched at once. */
export function loader<Key, Value>(
  context: RequestContext,
  name: string,
  batch: (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
): DataLoader<Key, Value> {
  const known = context.loaders.get(name)
  // a name belongs to one kind of loader
  if (known !== undefined) return known as DataLoader<Key, Value>
  const made = new DataLoader<Key, Value>((keys) => batch(keys), { maxBatchSize: 1000 })
  context.loaders.set(name, made)
  return made
}
