import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { useWords } from '../words/words.ts'

/** Finds a citizen by code; citizens cannot be browsed. */
export function CitizensPage() {
  const { word } = useWords()
  const [, go] = useLocation()
  useTitle(word('citizens.title'))
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    if (code !== '') go(`/citizens/${encodeURIComponent(code)}`)
  }
  return (
    <>
      <h1>{word('citizens.title')}</h1>
      <p className="lede">{word('citizens.lede')}</p>
      <form className="column" onSubmit={find}>
        <Field label={word('citizens.code')} name="code" isRequired autoComplete="off" />
        <Button look="main" type="submit">
          {word('citizens.find')}
        </Button>
      </form>
    </>
  )
}
