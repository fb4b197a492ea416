import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import { searchAddress } from '../search/search-filter.ts'
import { useWords } from '../words/words.ts'

/** The search of every page: Enter shows the citizens, verifications and expressions that match. */
export function SearchBox() {
  const { word } = useWords()
  const [, go] = useLocation()
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('search')).trim()
    go(searchAddress(typed))
    event.currentTarget.reset()
  }
  return (
    <search>
      <form className="search-box" onSubmit={find}>
        <input
          type="search"
          name="search"
          aria-label={word('search.box')}
          placeholder={word('search.title')}
          autoComplete="off"
          maxLength={200}
          dir="auto"
        />
      </form>
    </search>
  )
}
