import { useState } from 'react'
import { Button, MenuTrigger } from 'react-aria-components'
import { Menu } from '../../components/menu.tsx'
import { chooseTheme, chosenTheme, themes } from '../words/choices.ts'
import { useSharedWords } from '../words/language.tsx'

/** Selects light or dark for all pages, or the device's setting. */
export function Appearance() {
  const { word } = useSharedWords()
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <MenuTrigger>
      <Button className="appearance" aria-label={word('theme.title')}>
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" strokeWidth="2" />
          <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
        </svg>
      </Button>
      <Menu
        label={word('theme.title')}
        items={themes.map((id) => ({ id, text: word(`theme.${id}`) }))}
        selected={theme}
        onSelect={(id) => setTheme(chooseTheme(id))}
      />
    </MenuTrigger>
  )
}
