import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import type { Account } from '../interface/described.ts'
import { English, useDocument } from '../interface/document.tsx'
import type { SecurityScheme } from '../interface/openapi.ts'
import { useWords } from '../words/words.ts'
import { useAccess } from './access.tsx'
import { AccountAccess } from './account-access.tsx'
import { tokenScheme } from './credentials.ts'
import { SecretForm } from './secret-form.tsx'

/** The security schemes of the document with a form for each. @param account - initial values in development */
export function AuthorizeDialog({ account }: { account: Account | undefined }) {
  const { word } = useWords()
  const document = useDocument()
  const { isOpen, setOpen, email } = useAccess()
  const schemes = Object.entries(document.components?.securitySchemes ?? {})
  const ofToken = tokenScheme(document)
  return (
    <Dialog title={word('authorize')} isOpen={isOpen} onClose={() => setOpen(false)}>
      {schemes.map(([name, scheme]) => (
        <section key={name} className="scheme" aria-labelledby={`scheme-${name}`}>
          <h3 id={`scheme-${name}`}>
            <bdi dir="ltr">{name}</bdi> <code dir="ltr">{placeOf(scheme)}</code>
          </h3>
          <English text={scheme.description} level={3} />
          {name === ofToken && <AccountAccess account={account} />}
          {(name !== ofToken || email === undefined) && <SecretForm name={name} isToken={name === ofToken} />}
        </section>
      ))}
      <Button onPress={() => setOpen(false)}>{word('close')}</Button>
    </Dialog>
  )
}

const placeOf = ({ type, scheme, in: place, name }: SecurityScheme): string =>
  type === 'apiKey' ? `${place}: ${name}` : type === 'http' ? `Authorization: ${scheme}` : type
