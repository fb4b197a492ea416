import { FieldError, Input, Label, Text, TextArea, TextField, type TextFieldProps } from 'react-aria-components'

export interface FieldProps extends TextFieldProps {
  readonly label: string
  readonly help?: string
  /** several lines */
  readonly isLong?: boolean
}

/** A labelled text field; what is wrong with it is said below it, and read out with it. */
export function Field({ label, help, isLong = false, ...props }: FieldProps) {
  return (
    <TextField {...props} className="field">
      <Label>{label}</Label>
      {isLong ? <TextArea rows={3} dir="auto" /> : <Input dir="auto" />}
      {help !== undefined && (
        <Text slot="description" className="quiet">
          {help}
        </Text>
      )}
      <FieldError className="bad" />
    </TextField>
  )
}
