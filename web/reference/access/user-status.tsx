import { Button } from '../../components/button.tsx'
import { useDocument } from '../interface/document.tsx'
import { useWords } from '../words/words.ts'
import { useAccess } from './access.tsx'
import { useFocusAfterPress } from './use-focus-after-press.ts'

/** In the page header: the signed-in user, and the Authorize button. */
export function UserStatus() {
  const { word } = useWords()
  const { components } = useDocument()
  const { email, isExpired, signOut, setOpen } = useAccess()
  const { place, handOver } = useFocusAfterPress(email)
  const leave = (): void => {
    handOver()
    signOut()
  }
  if (components?.securitySchemes === undefined) return null
  return (
    <div className="who" ref={place}>
      <span role="status">{isExpired ? word('session.over') : email !== undefined && <bdi>{email}</bdi>}</span>
      <Button onPress={() => setOpen(true)}>{word('authorize')}</Button>
      {email !== undefined && <Button onPress={leave}>{word('session.sign-out')}</Button>}
    </div>
  )
}
