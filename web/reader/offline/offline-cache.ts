import { useSyncExternalStore } from 'react'

/** The service worker script `/keeper.js`, built from `offline-worker.ts`. */
export interface OfflineCache {
  /** whether responses are cached now */
  readonly isSaving: boolean
  readonly isOnline: boolean
}

const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer }

/** Registers the service worker. Does nothing in browsers without one and in insecure contexts. */
export async function startOfflineCache(): Promise<void> {
  await serviceWorker?.register('/keeper.js', { scope: '/' }).catch(() => undefined)
}

function listen(onChange: () => void): () => void {
  serviceWorker?.addEventListener('controllerchange', onChange)
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    serviceWorker?.removeEventListener('controllerchange', onChange)
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

export function useOfflineCache(): OfflineCache {
  const isSaving = useSyncExternalStore(listen, () => serviceWorker?.controller != null)
  const isOnline = useSyncExternalStore(listen, () => navigator.onLine)
  return { isSaving, isOnline }
}
