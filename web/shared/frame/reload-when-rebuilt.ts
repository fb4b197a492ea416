/** Part of pages under `npm run dev` only: reloads the page when the platform serves another version of it. */
const intervalMs = 1000
let served: string | null | undefined

async function compare(): Promise<void> {
  try {
    const { headers, ok } = await fetch(location.pathname, { cache: 'no-store' })
    const tag = ok ? headers.get('etag') : null
    if (served !== undefined && tag !== null && tag !== served) location.reload()
    served = tag ?? served
  } catch {
    // the platform is restarting
  }
}

setInterval(() => void compare(), intervalMs)
