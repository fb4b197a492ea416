import { useState } from 'react'
import { Button, MenuTrigger } from 'react-aria-components'
import { Menu } from '../../components/menu.tsx'
import { useSharedWords } from '../words/dictionary.ts'
import { remember } from './remembered.ts'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const chosenTheme = (): Theme => themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'

/** Light or dark, on all pages; or as the device has it. */
export function Appearance() {
  const { word } = useSharedWords()
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (chosen: Theme): void => {
    const { dataset } = document.documentElement
    if (chosen === 'system') delete dataset.theme
    else dataset.theme = chosen
    remember('theme', chosen === 'system' ? undefined : chosen)
    setTheme(chosen)
  }
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
        onSelect={(id) => choose(themes.find((each) => each === id) ?? 'system')}
      />
    </MenuTrigger>
  )
}
