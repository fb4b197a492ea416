import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { ApolloProvider, useQuery, useSubscription } from '@apollo/client/react'
import { signIn } from '@civigraph/client'
import { possibleTypes, typePolicies } from '@civigraph/client/apollo'
import { CitizenFileDocument, ExpressionAddedDocument } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { createRoot } from 'react-dom/client'

const url = `${location.origin}/graphql`

/** Signs in and creates an Apollo Client of the session. @throws {CivigraphError} when the platform refuses the sign-in */
async function enterAs(account: FormData, leave: () => void): Promise<ApolloClient> {
  const session = await signIn({ email: String(account.get('email')), password: String(account.get('password')) }, { url })
  const http = new HttpLink({ uri: url, fetch: session.fetch })
  const webSocket = new GraphQLWsLink(session.subscriptions({ url: url.replace('http', 'ws') }))
  const link = ApolloLink.split(({ operationType }) => operationType === 'subscription', webSocket, http)
  const client = new ApolloClient({ cache: new InMemoryCache({ typePolicies, possibleTypes }), link })
  session.onEnd(() => {
    leave()
    return client.clearStore()
  })
  return client
}

interface FormParts {
  /** Input types by field name. */
  readonly fields: Readonly<Record<string, string>>
  readonly button: string
  readonly send: (values: FormData) => Promise<void>
}

/** A form that passes its values to `send` and shows the error message below its button. */
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

/** The verifications (A) and delegations (D) of a citizen, with domain statistics (B) and expressions (C), in one query; below, the newest expression. */
function CitizenFile({ code }: { code: string }) {
  const { data, error, loading } = useQuery(CitizenFileDocument, { variables: { code } })
  const { data: live } = useSubscription(ExpressionAddedDocument, { variables: { updates: false } })
  if (loading) return <p role="status">Loading …</p>
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
            {['to', 'for', 'expressions', 'latest expressions'].map((title) => (
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
        {live?.expressionAdded.expression?.text ?? 'No new expression yet.'}
      </p>
    </>
  )
}

function Page() {
  const [client, setClient] = useState<ApolloClient>()
  const [code, setCode] = useState('')
  const enter = async (account: FormData) => setClient(await enterAs(account, () => setClient(undefined)))
  if (client === undefined) return <Form key="enter" fields={{ email: 'email', password: 'password' }} button="Sign in" send={enter} />
  return (
    <ApolloProvider client={client}>
      <Form key="find" fields={{ code: 'text' }} button="Find" send={async (values) => setCode(String(values.get('code')))} />
      {code !== '' && <CitizenFile code={code} />}
    </ApolloProvider>
  )
}

const place = document.querySelector('#page')
if (place !== null) createRoot(place).render(<Page />)
