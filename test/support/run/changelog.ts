/** What one item of a changelog says. */
export interface Said {
  /** all that stands between its backquotes */
  readonly names: ReadonlySet<string>
  /** of these what is not there any more: what follows `before: `, and what stands in a sentence that says `gone` */
  readonly gone: ReadonlySet<string>
}

/**
 * What the changelog says has changed since a release, an item each.
 * @throws {Error} when it has no part on that release: everything would be taken for new
 */
export function saidSince(release: string, changelog: string): readonly Said[] {
  const parts = changelog.split(/^## /m).slice(1)
  const known = parts.findIndex((part) => part.split(/[\s,]/, 1)[0] === release)
  if (known === -1) throw new Error(`the changelog has no part on ${release}`)
  const items = parts.slice(0, known).flatMap((part) => part.split(/^- /m).slice(1))
  return items.map((item) => {
    const former = [...item.matchAll(/before: (?:`[^`]+`(?: \([^)]*\))?(?:,\s|\sand\s)?)+/g)].map(([words]) => words)
    // `page` of `GET /things` is gone: the operation is not
    const farewells = item.split(/[.;]\s/).flatMap((sentence) => (/\bgone\b/.test(sentence) ? sentence.replace(/\bof `[^`]+`/g, '') : []))
    return { names: namesIn(item), gone: namesIn([...former, ...farewells].join('\n')) }
  })
}

const namesIn = (text: string): ReadonlySet<string> => new Set([...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
