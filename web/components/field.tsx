import type { ReactNode } from 'react'
import { FieldError, Input, Label, Text, TextArea, TextField, type TextFieldProps } from 'react-aria-components'

export interface FieldProps extends TextFieldProps {
  readonly label: string
  /** beside the label: that it may be left empty, say */
  readonly mark?: string | undefined
  readonly help?: ReactNode
  /** what is wrong with what is in it; undefined: nothing that is known */
  readonly problem?: string | undefined
  /** several lines, so many of them at once (default: 3) */
  readonly isLong?: boolean
  readonly rows?: number
  /** of the text field itself, such as `min` of a date */
  readonly input?: { readonly min?: string; readonly max?: string }
}

/** A labelled text field; what is wrong with it is said below it, and read out with it. */
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
