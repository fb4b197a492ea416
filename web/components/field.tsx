import type { ReactNode } from 'react'
import { FieldError, Input, Label, Text, TextArea, TextField, type TextFieldProps } from 'react-aria-components'

export interface FieldProps extends TextFieldProps {
  readonly label: string
  /** text beside the label, such as "(optional)" */
  readonly mark?: string | undefined
  readonly help?: ReactNode
  /** what is wrong with the value; undefined when no problem is known */
  readonly problem?: string | undefined
  /** a text area of `rows` lines (default: 3) */
  readonly isLong?: boolean
  readonly rows?: number
  /** attributes of the input element, such as `min` of a date */
  readonly input?: { readonly min?: string; readonly max?: string }
}

/** A labelled text field; its problem is shown below it and is part of its accessible description. */
export function Field({ label, mark, help, problem, isLong = false, rows = 3, input, ...props }: FieldProps) {
  return (
    <TextField {...props} className="field" {...(problem !== undefined && { isInvalid: true })}>
      <Label>
        {label} {mark !== undefined && <span className="quiet">{mark}</span>}
      </Label>
      {isLong ? <TextArea rows={rows} dir="auto" /> : <Input dir="auto" {...input} />}
      {help !== undefined && (
        <Text slot="description" className="quiet">
          {help}
        </Text>
      )}
      {problem === undefined ? <FieldError className="bad" /> : <FieldError className="bad">{problem}</FieldError>}
    </TextField>
  )
}
