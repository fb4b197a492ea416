const soonMs = 14 * 86_400_000

/** Returns whether a service key is valid and ends within 14 days. @param key.endsAt - RFC 3339; null: no end */
export function endsSoon({ endsAt }: { readonly endsAt: string | null }): boolean {
  const remainingMs = endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt) - Date.now()
  return remainingMs > 0 && remainingMs < soonMs
}
