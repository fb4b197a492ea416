import { dictionary } from '../../shared/words/language.tsx'
import ar from './help-words/ar.json' with { type: 'json' }
import en from './help-words/en.json' with { type: 'json' }
import fr from './help-words/fr.json' with { type: 'json' }

const useHelpWords = dictionary({ fr, en, ar })

/** Where the help of a section leads. */
const targets: Readonly<Record<string, string>> = {
  '/': '#/verifications',
  '/review': '#/verifications',
  '/verifications': '#/citizens',
  '/callbacks': '#/keys',
  '/citizens': '#/audit',
  '/expressions': '#/expressions/dead-letters',
  '/delegations': '#/content',
  '/content': '#/delegations',
  '/accounts': '#/audit',
  '/keys': '#/callbacks',
  '/audit': '#/accounts',
}

/** What a section is for, in three sentences, and a link to the next one that its users need. */
export function Help({ section }: { section: string }) {
  const { word, named } = useHelpWords()
  return (
    <details className="help">
      <summary>{word('help.title')}</summary>
      <p>{named('help', section)}</p>
      <p>
        <a href={targets[section] ?? '#/'}>{named('help-link', section)}</a>
      </p>
    </details>
  )
}
