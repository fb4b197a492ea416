/** Part of pages under `npm run dev` alone: reloads the page when the platform serves another version of it. */
const intervalMs = 1000
let served: string | null | undefined

async function compare(): Promise<void> {
  try {
    const { headers, ok } = await fetch(location.pathname, { cache: 'no-store' })
    const tag = ok ? headers.get('etag') : null
    if (served !== undefined && tag !== null && tag !== served) location.reload()
    served = tag ?? served
  } catch {
    // the platform is being restarted
  }
}

setInterval(() => void compare(), intervalMs)
