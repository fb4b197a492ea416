import { ApolloProvider } from '@apollo/client/react'
import { InvalidCredentialsError, type Session, signIn } from '@civigraph/client'
import { type FormEvent, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { clientOf, url } from './client.ts'
import { DashboardView } from './dashboard.tsx'
import { DocumentView } from './document.tsx'
import { LiveView } from './live.tsx'
import { Problem } from './problem.tsx'
import { SearchView } from './search.tsx'
import { VerificationView } from './verification.tsx'

const views = ['dashboard', 'search', 'live', 'verification', 'document'] as const

function useView(): string {
  const [view, setView] = useState(location.hash.slice(1))
  useEffect(() => {
    const change = () => setView(location.hash.slice(1))
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [])
  return view
}

function SignIn({ onSession }: { readonly onSession: (session: Session) => void }) {
  const [error, setError] = useState<unknown>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setError(undefined)
    signIn({ email: String(form.get('email')), password: String(form.get('password')) }, { url }).then(onSession, setError)
  }
  return (
    <form onSubmit={submit}>
      <label>
        email <input name="email" type="email" required />
      </label>
      <label>
        password <input name="password" type="password" required />
      </label>
      <button type="submit">Sign in</button>
      {error instanceof InvalidCredentialsError ? (
        <p role="alert">Wrong email or password.</p>
      ) : (
        error !== undefined && <Problem error={error} />
      )}
    </form>
  )
}

function SignedIn({ session }: { readonly session: Session }) {
  const [client] = useState(() => clientOf(session))
  const view = useView()
  return (
    <ApolloProvider client={client}>
      <nav>
        {views.map((name) => (
          <a key={name} href={`#${name}`}>
            {name}
          </a>
        ))}
        <button type="button" onClick={() => void session.signOut()}>
          Sign out
        </button>
      </nav>
      {view === 'search' && <SearchView />}
      {view === 'live' && <LiveView />}
      {view === 'verification' && <VerificationView citizen="DEMO-WEB-CLIENT" />}
      {view === 'document' && <DocumentView fetchFile={session.fetch} />}
      {!['search', 'live', 'verification', 'document'].includes(view) && <DashboardView />}
    </ApolloProvider>
  )
}

function Page() {
  const [session, setSession] = useState<Session>()
  useEffect(() => session?.onEnd(() => setSession(undefined)), [session])
  return session === undefined ? <SignIn onSession={setSession} /> : <SignedIn session={session} />
}

const place = document.querySelector('#page')
if (place !== null) createRoot(place).render(<Page />)
