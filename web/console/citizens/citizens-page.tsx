import { SearchCitizensDocument } from '@civigraph/client/documents'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useQuery } from 'urql'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { ListState } from '../../components/list-state.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { useSession } from '../../shared/session/session.tsx'
import { CitizenLink } from '../codes/citizen-link.tsx'
import { isJobId, minSearchLength } from '../search/search-filter.ts'
import { useWords } from '../words/words.ts'
import { RegisterTable } from './register-table.tsx'

/** Lists the citizens of the register in the caller's scope; a super_admin also searches them. */
export function CitizensPage() {
  const { word } = useWords()
  const { signedIn } = useSession()
  useTitle(word('citizens.title'))
  return (
    <>
      <h1>{word('citizens.title')}</h1>
      {signedIn?.administrator.roles.includes('SUPER_ADMIN') === true && <Search />}
      <RegisterTable />
    </>
  )
}

/** Finds citizens by code or a part of it, and a verification by its number. A code that is stored opens at once. */
function Search() {
  const { word } = useWords()
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('code')).trim()
    setProblem(typed.length < minSearchLength ? word('citizens.short') : undefined)
    if (isJobId(typed)) go(`/verifications/${typed.toLowerCase()}`)
    else if (typed.length >= minSearchLength) setText(typed)
  }
  return (
    <>
      <p className="lede">{word('citizens.lede')}</p>
      <form className="column" onSubmit={find}>
        <Field label={word('citizens.code')} name="code" isRequired autoComplete="off" help={word('citizens.help')} problem={problem} />
        <Button look="main" type="submit">
          {word('citizens.find')}
        </Button>
      </form>
      {text !== '' && <Matches key={text} text={text} onOnly={(code) => go(`/citizens/${encodeURIComponent(code)}`)} />}
    </>
  )
}

/** Codes like the text; a single equal one is opened instead. */
function Matches({ text, onOnly }: { text: string; onOnly: (code: string) => void }) {
  const { word } = useWords()
  const [{ data, error, fetching }, reload] = useQuery({
    query: SearchCitizensDocument,
    variables: { text },
    requestPolicy: 'network-only',
  })
  const codes = data?.searchCitizens?.map(({ code }) => code) ?? []
  const isStored = codes[0] === text
  const open = useRef(onOnly)
  open.current = onOnly
  useEffect(() => {
    if (isStored) open.current(text)
  }, [isStored, text])
  return (
    <section aria-labelledby="matches">
      <h2 id="matches">{word('citizens.matches', { text })}</h2>
      <ListState
        isLoading={fetching}
        isEmpty={codes.length === 0}
        problem={error}
        empty={word('citizens.unknown', { text })}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
      />
      {codes.length > 0 && (
        <>
          {!codes.includes(text) && <p>{word('citizens.like')}</p>}
          <ul className="lines">
            {codes.map((code) => (
              <li key={code}>
                <CitizenLink code={code} />
              </li>
            ))}
          </ul>
        </>
      )}
      {!fetching && error === undefined && !codes.includes(text) && (
        <p>
          <a href={`#/citizens/${encodeURIComponent(text)}`}>{word('citizens.anyway', { text })}</a>
        </p>
      )}
    </section>
  )
}
