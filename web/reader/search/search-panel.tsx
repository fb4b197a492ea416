import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { PlaceLink } from '../../shared/content/place/place-link.tsx'
import { written } from '../../shared/content/text/language-of.ts'
import { usePlace } from '../place/use-place.ts'
import { readWhole } from '../service/content-service.ts'
import { useWords } from '../words/words.ts'
import { type Match, searchTexts } from './search-texts.ts'

type Search = { readonly step: 'none' | 'reading' | 'failed' } | { readonly step: 'found'; readonly matches: readonly Match[] }

const maxMatches = 20

/** Searches titles, summaries and bodies: reads the whole magazine once per version. */
export function SearchPanel() {
  const { word } = useWords()
  const { tenant } = usePlace()
  const [search, setSearch] = useState<Search>({ step: 'none' })
  // closes when a result is opened
  const [isOpen, setOpen] = useState(true)
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const wanted = String(new FormData(event.currentTarget).get('words')).trim()
    if (wanted === '') return setSearch({ step: 'none' })
    setSearch({ step: 'reading' })
    try {
      const { texts } = await readWhole(tenant)
      setOpen(true)
      setSearch({ step: 'found', matches: searchTexts(texts, wanted) })
    } catch {
      setSearch({ step: 'failed' })
    }
  }
  return (
    <div className="search">
      {/* biome-ignore lint/a11y/useSemanticElements: the element is not in every browser */}
      <form role="search" onSubmit={submit}>
        <Field label={word('search')} name="words" type="search" maxLength={200} autoComplete="off" />
        <Button type="submit" isPending={search.step === 'reading'}>
          {word('search.go')}
        </Button>
      </form>
      <p role="status" className="quiet">
        {search.step === 'reading' && word('search.reading')}
        {search.step === 'failed' && word('search.failed')}
        {search.step === 'found' &&
          (search.matches.length === 0 ? word('search.none') : word('search.found', { count: search.matches.length }))}{' '}
        {search.step === 'found' && search.matches.length > maxMatches && word('search.most', { count: maxMatches })}
      </p>
      {search.step === 'found' && search.matches.length > 0 && (
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{word('search.results')}</summary>
          <Results matches={search.matches.slice(0, maxMatches)} onFollow={() => setOpen(false)} />
        </details>
      )}
    </div>
  )
}

function Results({ matches, onFollow }: { matches: readonly Match[]; onFollow: () => void }) {
  return (
    <ol className="results">
      {matches.map(({ text, excerpt }) => (
        <li key={text.id}>
          <PlaceLink to={text.id} onClick={onFollow} {...written(text)}>
            {text.title}
          </PlaceLink>
          <p className="quiet" lang={text.locale ?? undefined} dir="auto">
            {excerpt}
          </p>
        </li>
      ))}
    </ol>
  )
}
