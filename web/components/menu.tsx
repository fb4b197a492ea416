import { Menu as Behaviour, MenuItem, Popover } from 'react-aria-components'

export interface MenuProps {
  readonly label: string
  readonly items: readonly { readonly id: string; readonly text: string }[]
  /** selected item */
  readonly selected: string
  readonly onSelect: (id: string) => void
}

/** The content of a `MenuTrigger`: a menu with a single selection. */
export function Menu({ label, items, selected, onSelect }: MenuProps) {
  return (
    <Popover className="popover">
      <Behaviour
        className="options"
        aria-label={label}
        selectionMode="single"
        selectedKeys={[selected]}
        onAction={(key) => onSelect(String(key))}
      >
        {items.map(({ id, text }) => (
          <MenuItem key={id} id={id} textValue={text} className="option">
            {text}
          </MenuItem>
        ))}
      </Behaviour>
    </Popover>
  )
}
