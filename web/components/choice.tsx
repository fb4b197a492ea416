import type { ReactNode } from 'react'
import {
  Button,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  type SelectProps,
  SelectValue,
  Text,
} from 'react-aria-components'

export interface ChoiceProps extends Omit<SelectProps<object>, 'children' | 'onChange' | 'onSelectionChange' | 'selectedKey' | 'value'> {
  readonly label: string
  /** text beside the label, such as "(optional)" */
  readonly mark?: string
  readonly help?: ReactNode
  /** what is wrong with the selection; undefined when no problem is known */
  readonly problem?: string | undefined
  readonly options: readonly { readonly id: string; readonly text: string }[]
  /** first option, for no restriction, whose value is empty; absent: one of the options is selected */
  readonly anyText?: string
  readonly value: string
  readonly onChange: (id: string) => void
}

/** key of the option for no restriction: an empty key selects nothing */
const any = 'any'

/** A list box with a single selection. */
export function Choice({ label, mark, help, problem, options, anyText, value, onChange, ...props }: ChoiceProps) {
  return (
    <Select
      {...props}
      className="field"
      selectedKey={anyText !== undefined && value === '' ? any : value}
      onSelectionChange={(key) => onChange(anyText !== undefined && key === any ? '' : String(key))}
      {...(problem !== undefined && { isInvalid: true })}
    >
      <Label>
        {label} {mark !== undefined && <span className="quiet">{mark}</span>}
      </Label>
      <Button className="select">
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </Button>
      {help !== undefined && (
        <Text slot="description" className="quiet">
          {help}
        </Text>
      )}
      {problem !== undefined && <FieldError className="bad">{problem}</FieldError>}
      <Popover className="popover">
        <ListBox className="options">
          {[...(anyText === undefined ? [] : [{ id: any, text: anyText }]), ...options].map(({ id, text }) => (
            <ListBoxItem key={id} id={id} textValue={text} className="option">
              {text}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  )
}
