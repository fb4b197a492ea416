import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { ApolloProvider, useQuery, useSubscription } from '@apollo/client/react'
import { CivigraphError, createGraphqlClient, createSubscriptionClient, sessionFetch } from '@civigraph/client'
import { possibleTypes, typePolicies } from '@civigraph/client/apollo'
import { CitizenFileDocument, ExpressionAddedDocument, SignInDocument } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { createRoot } from 'react-dom/client'

const url = `${location.origin}/graphql`

/** An Apollo Client of whoever has signed in. @throws {CivigraphError} with the platform's sentence */
async function signIn(account: FormData, leave: () => void): Promise<ApolloClient> {
  const input = { email: String(account.get('email')), password: String(account.get('password')) }
  const { login: session } = await createGraphqlClient({ url }).request(SignInDocument, { input })
  if (session == null) throw new CivigraphError('Nobody is signed in')
  const keep = (renewed: unknown) => renewed === undefined && leave()
  const asking = new HttpLink({ uri: url, fetch: sessionFetch({ url, session, keep }) })
  const following = new GraphQLWsLink(createSubscriptionClient({ url: url.replace('http', 'ws') }))
  const link = ApolloLink.split(({ operationType }) => operationType === 'subscription', following, asking)
  return new ApolloClient({ cache: new InMemoryCache({ typePolicies, possibleTypes }), link })
}

interface FormParts {
  /** types of the fields, by name */
  readonly fields: Readonly<Record<string, string>>
  readonly button: string
  readonly send: (values: FormData) => Promise<void>
}

/** A form whose fields are handed on as they were written; what goes wrong is said below it. */
function Form({ fields, button, send }: FormParts) {
  const [problem, setProblem] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem('')
    send(new FormData(event.currentTarget)).catch(({ message }: Error) => setProblem(message))
  }
  return (
    <form onSubmit={submit}>
      {Object.entries(fields).map(([name, type]) => (
        <label key={name}>
          {name} <input name={name} type={type} required />
        </label>
      ))}
      <button type="submit">{button}</button>
      <p role="alert">{problem}</p>
    </form>
  )
}

/** One query: what component A has verified, what D has delegated, the domains of B, and what C has heard about them; below, what is said meanwhile. */
function CitizenFile({ code }: { code: string }) {
  const { data, error, loading } = useQuery(CitizenFileDocument, { variables: { code } })
  const { data: live } = useSubscription(ExpressionAddedDocument, { variables: { updates: false } })
  if (loading) return <p role="status">Looking …</p>
  if (error !== undefined || data?.citizen == null) return <p role="alert">{error?.message ?? 'There is no such citizen'}</p>
  const { verifications, delegationsGiven } = data.citizen
  return (
    <>
      <h2>Verifications of {code}</h2>
      <ul>
        {verifications?.nodes.map(({ id, documentType, outcome, status }) => (
          <li key={id}>{`${documentType}: ${outcome ?? status}`}</li>
        ))}
      </ul>
      <h2>Delegations</h2>
      <table>
        <thead>
          <tr>
            {['to', 'for', 'expressions', 'said last'].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {delegationsGiven?.nodes.map(({ id, delegate, domain, scope }) => (
            <tr key={id}>
              <td>{delegate.code}</td>
              <td>{domain?.labels.find(({ lang }) => lang === 'en')?.text ?? scope}</td>
              <td>{domain?.statistics.expressions}</td>
              <td dir="auto">{domain?.expressions?.nodes.map(({ text, votes }) => `${text} (${votes.agree} agree)`).join(' · ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p role="status" dir="auto">
        {live?.expressionAdded.expression?.text ?? 'Nothing new has been said yet.'}
      </p>
    </>
  )
}

function Page() {
  const [client, setClient] = useState<ApolloClient>()
  const [code, setCode] = useState('')
  const enter = async (account: FormData) => setClient(await signIn(account, () => setClient(undefined)))
  if (client === undefined) return <Form key="enter" fields={{ email: 'email', password: 'password' }} button="Sign in" send={enter} />
  return (
    <ApolloProvider client={client}>
      <Form key="find" fields={{ code: 'text' }} button="Find" send={async (asked) => setCode(String(asked.get('code')))} />
      {code !== '' && <CitizenFile code={code} />}
    </ApolloProvider>
  )
}

const place = document.querySelector('#page')
if (place !== null) createRoot(place).render(<Page />)
