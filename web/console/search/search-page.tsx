import type { VerificationOutcome } from '@civigraph/client/documents'
import { type FormEvent, useDeferredValue, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { useVerifications, VerificationTable } from '../verification/verification-table.tsx'
import { useWords } from '../words/words.ts'
import { FoundCitizens } from './found-citizens.tsx'
import { FoundExpressions } from './found-expressions.tsx'
import { isFilter, jobFilterOf, noFilter, type SearchFilter, searchAddress } from './search-filter.ts'
import { useSearchWords } from './search-words/words.ts'

const outcomes: readonly VerificationOutcome[] = ['VERIFIED', 'PENDING_REVIEW', 'REJECTED', 'ERROR']

/**
 * Finds citizens, verifications and expressions by code, part of a code, number, words, country, outcome and days.
 * @param text - in the address, so that the way back leads to the results
 */
export function SearchPage({ text }: { text: string }) {
  const { word, named } = useWords()
  const { word: searchWord } = useSearchWords()
  const [, go] = useLocation()
  const [filter, setFilter] = useState(noFilter)
  useTitle(word('search.title'))
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('text')).trim()
    go(searchAddress(typed))
  }
  const set = (name: keyof SearchFilter) => (value: string) => setFilter({ ...filter, [name]: value })
  return (
    <>
      <h1>{word('search.title')}</h1>
      <p className="lede">{searchWord('search.lede')}</p>
      {/* the address may change while the page is open */}
      <form key={text} className="search-form" onSubmit={find}>
        <Field label={searchWord('search.text')} name="text" type="search" defaultValue={text} autoComplete="off" maxLength={200} />
        <Button look="main" type="submit">
          {word('citizens.find')}
        </Button>
      </form>
      <div className="filters">
        <Choice
          label={word('verification.outcome')}
          anyText={word('any')}
          options={outcomes.map((id) => ({ id, text: named('outcome', id) }))}
          value={filter.outcome}
          onChange={set('outcome')}
        />
        <Field label={word('verifications.country')} value={filter.country} onChange={set('country')} autoComplete="off" />
        <Field label={word('from-day')} type="date" value={filter.from} onChange={set('from')} />
        <Field label={word('to-day')} type="date" value={filter.to} onChange={set('to')} />
      </div>
      {text !== '' && <FoundCitizens key={`citizens ${text}`} text={text} filter={filter} />}
      {text === '' && isFilter(filter) && <FoundVerifications filter={filter} />}
      {text !== '' && <FoundExpressions key={`expressions ${text}`} text={text} filter={filter} />}
    </>
  )
}

/** Verifications by outcome, country and days alone. */
function FoundVerifications({ filter }: { filter: SearchFilter }) {
  const { word } = useWords()
  const pages = useVerifications(jobFilterOf(useDeferredValue(filter)))
  return (
    <section aria-labelledby="found">
      <h2 id="found">{word('verifications.title')}</h2>
      <VerificationTable pages={pages} />
    </section>
  )
}
