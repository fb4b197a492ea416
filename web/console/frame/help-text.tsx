import { dictionary } from '../../shared/words/language.tsx'
import ar from './help-words/ar.json' with { type: 'json' }
import en from './help-words/en.json' with { type: 'json' }
import fr from './help-words/fr.json' with { type: 'json' }

const useHelpWords = dictionary({ fr, en, ar })

/** Where the help of a section, or of a page with help of its own, leads. */
const targets: Readonly<Record<string, string>> = {
  '/': '#/verifications',
  '/review': '#/verifications',
  '/search': '#/audit',
  '/verifications': '#/citizens',
  '/callbacks': '#/keys',
  '/citizens': '#/delegations',
  '/expressions': '#/expressions/dead-letters',
  '/delegations': '#/content',
  '/delegations/simulations': '#/delegations',
  '/content': '#/delegations',
  '/accounts': '#/audit',
  '/keys': '#/callbacks',
  '/audit': '#/accounts',
}

/** What a page or its section is for, in three sentences, and a link to the next one that its users need. */
export function HelpText({ page, section }: { page: string; section: string }) {
  const { named } = useHelpWords()
  const subject = page in targets ? page : section
  return (
    <>
      <p>{named('help', subject)}</p>
      <p>
        <a href={targets[subject] ?? '#/'}>{named('help-link', subject)}</a>
      </p>
    </>
  )
}
