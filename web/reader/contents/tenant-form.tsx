import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { isTenantName } from '../place/place.ts'
import { usePlace } from '../place/use-place.ts'
import { useWords } from '../words/words.ts'

const usual = 'default'

/** Whose magazine is shown. */
export function TenantForm() {
  const { word } = useWords()
  const { tenant, go } = usePlace()
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const wanted = String(new FormData(event.currentTarget).get('tenant')).trim()
    setWrong(!isTenantName(wanted))
    if (isTenantName(wanted)) go(undefined, wanted === usual ? '' : wanted)
    else event.currentTarget.querySelector('input')?.focus()
  }
  return (
    <form className="tenant" onSubmit={submit} noValidate key={tenant}>
      <Field
        label={word('tenant')}
        help={word('tenant.help')}
        problem={isWrong ? word('tenant.problem') : undefined}
        name="tenant"
        defaultValue={tenant || usual}
        maxLength={63}
        autoComplete="off"
        spellCheck="false"
      />
      <Button type="submit">{word('tenant.open')}</Button>
    </form>
  )
}
