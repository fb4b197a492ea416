import { DomainsDocument } from '@civigraph/client/documents'
import { useQuery } from 'urql'
import { labelIn } from '../../shared/words/words-in.ts'
import { useWords } from '../words/words.ts'

/** Returns the domains and sub-domains as options, in the language of the page. */
export function useDomainOptions(): readonly { readonly id: string; readonly text: string }[] {
  const { word, language } = useWords()
  const [{ data }] = useQuery({ query: DomainsDocument })
  return (data?.domains?.domains ?? []).flatMap((each) => {
    const text = labelIn(language, each.labels) ?? each.slug
    const subDomains = (each.subDomains ?? []).map((sub) => ({
      id: sub.id,
      text: word('topic.sub', { topic: text, subtopic: labelIn(language, sub.labels) ?? sub.slug }),
    }))
    return [{ id: each.id, text }, ...subDomains]
  })
}
