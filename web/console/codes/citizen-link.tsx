import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'

/** A citizen's code, as a link to the citizen for users who may open it. */
export function CitizenLink({ code }: { code: string }) {
  const { signedIn } = useSession()
  const mayOpen = signedIn?.administrator.roles.some((role) => role === 'SUPER_ADMIN' || role === 'GROUP_ADMIN') === true
  return mayOpen ? (
    <a href={`#/citizens/${encodeURIComponent(code)}`}>
      <Code code={code} />
    </a>
  ) : (
    <Code code={code} />
  )
}

/** A code apart from the direction of the text around it; a blank one has a name, so that a link with it has one. */
export function Code({ code }: { code: string }) {
  const { word } = useWords()
  return code.trim() === '' ? <i>{word('citizen.blank')}</i> : <bdi>{code}</bdi>
}
