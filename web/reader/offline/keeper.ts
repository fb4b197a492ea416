import { useSyncExternalStore } from 'react'

/** What the keeper is: the script at `/keeper.js`, made of `keeper-script.ts`. */
export interface Keeper {
  /** whether what is read now is kept */
  readonly isKeeping: boolean
  readonly isOnline: boolean
}

const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer }

/** Begins to keep the page and what is read. Nothing where the browser has no such thing, or the address is not a safe one. */
export async function startKeeper(): Promise<void> {
  await serviceWorker?.register('/keeper.js', { scope: '/' }).catch(() => undefined)
}

function listen(told: () => void): () => void {
  serviceWorker?.addEventListener('controllerchange', told)
  addEventListener('online', told)
  addEventListener('offline', told)
  return () => {
    serviceWorker?.removeEventListener('controllerchange', told)
    removeEventListener('online', told)
    removeEventListener('offline', told)
  }
}

export function useKeeper(): Keeper {
  const isKeeping = useSyncExternalStore(listen, () => serviceWorker?.controller != null)
  const isOnline = useSyncExternalStore(listen, () => navigator.onLine)
  return { isKeeping, isOnline }
}
