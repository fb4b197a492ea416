import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { useContentWords } from './words/words.ts'

/** the service's default tenant */
export const defaultTenant = 'default'

const isTenantName = (name: string): boolean => /^[a-z0-9-]{1,63}$/.test(name)

export interface TenantFormProps {
  /** the current tenant */
  readonly tenant: string
  readonly className: string
  readonly onOpen: (tenant: string) => void
}

/** Selects the organisation whose content is shown. */
export function TenantForm({ tenant, className, onOpen }: TenantFormProps) {
  const { word } = useContentWords()
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const wanted = String(new FormData(event.currentTarget).get('tenant')).trim()
    setWrong(!isTenantName(wanted))
    if (isTenantName(wanted)) onOpen(wanted)
    else event.currentTarget.querySelector('input')?.focus()
  }
  return (
    <form className={className} onSubmit={submit} noValidate key={tenant}>
      <Field
        label={word('tenant')}
        help={word('tenant.help')}
        problem={isWrong ? word('tenant.problem') : undefined}
        name="tenant"
        defaultValue={tenant}
        maxLength={63}
        autoComplete="off"
        spellCheck="false"
      />
      <Button type="submit">{word('tenant.open')}</Button>
    </form>
  )
}
