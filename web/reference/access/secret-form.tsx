import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Badge } from '../../components/status.tsx'
import { useWords } from '../words/words.ts'
import { useAccess } from './access.tsx'
import { useFocusAfterPress } from './use-focus-after-press.ts'

/**
 * A form for a key or a token.
 * @param name - of its scheme
 * @param isToken - whether it expires
 */
export function SecretForm({ name, isToken }: { name: string; isToken: boolean }) {
  const { word } = useWords()
  const { secrets, setSecret } = useAccess()
  const [value, setValue] = useState('')
  const isHeld = secrets[name] !== undefined
  const { place, handOver } = useFocusAfterPress(isHeld)
  const isHeader = /^[\x20-\x7e]+$/.test(value.trim())
  const change = (secret: string | undefined): void => {
    handOver()
    setSecret(name, secret)
    setValue('')
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isHeader) change(value.trim())
  }
  return (
    <div ref={place}>
      {isHeld ? (
        <div className="row">
          <Badge kind="good">{word('access.in-use')}</Badge>
          <Button onPress={() => change(undefined)}>{word('access.forget', { name })}</Button>
          {!isToken && <p className="quiet">{word('access.key-forgotten')}</p>}
        </div>
      ) : (
        <form className="column" onSubmit={submit}>
          <Field
            label={word(isToken ? 'access.token' : 'access.key')}
            type="password"
            autoComplete="off"
            value={value}
            onChange={setValue}
            help={word(isToken ? 'access.token-forgotten' : 'access.key-forgotten')}
            problem={value === '' || isHeader ? undefined : word('problem.header')}
          />
          <Button type="submit" isDisabled={!isHeader}>
            {word('access.use', { name })}
          </Button>
        </form>
      )}
    </div>
  )
}
