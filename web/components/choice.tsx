import { Button, Label, ListBox, ListBoxItem, Popover, Select, type SelectProps, SelectValue } from 'react-aria-components'

export interface ChoiceProps extends Omit<SelectProps<object>, 'children' | 'onChange' | 'onSelectionChange' | 'selectedKey' | 'value'> {
  readonly label: string
  readonly options: readonly { readonly id: string; readonly text: string }[]
  readonly value: string
  readonly onChange: (id: string) => void
}

/** One of a few. */
export function Choice({ label, options, value, onChange, ...props }: ChoiceProps) {
  return (
    <Select {...props} className="field" selectedKey={value} onSelectionChange={(key) => onChange(String(key))}>
      <Label>{label}</Label>
      <Button className="select">
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover className="popover">
        <ListBox className="options">
          {options.map(({ id, text }) => (
            <ListBoxItem key={id} id={id} textValue={text} className="option">
              {text}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  )
}
