import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { ApolloProvider, useQuery, useSubscription } from '@apollo/client/react'
import { CivigraphError, createGraphqlClient, createSubscriptionClient, sessionFetch } from '@civigraph/client'
import { possibleTypes, typePolicies } from '@civigraph/client/apollo'
import { CitizenFileDocument, type CitizenFileQuery, ExpressionAddedDocument, SignInDocument } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { createRoot } from 'react-dom/client'

const url = `${location.origin}/graphql`

/** An Apollo Client of whoever has signed in. @throws {CivigraphError} with the platform's sentence */
async function signIn(email: string, password: string, leave: () => void): Promise<ApolloClient> {
  const { login: session } = await createGraphqlClient({ url }).request(SignInDocument, { input: { email, password } })
  if (session == null) throw new CivigraphError('Nobody is signed in')
  const keep = (renewed: unknown) => renewed === undefined && leave()
  const asking = new HttpLink({ uri: url, fetch: sessionFetch({ url, session, keep }) })
  const following = new GraphQLWsLink(createSubscriptionClient({ url: url.replace('http', 'ws') }))
  const link = ApolloLink.split(({ operationType }) => operationType === 'subscription', following, asking)
  return new ApolloClient({ cache: new InMemoryCache({ typePolicies, possibleTypes }), link })
}

/** A form whose fields are handed on as they were written; what goes wrong is said below it. */
function Form(props: { fields: Record<string, string>; button: string; send: (values: Record<string, string>) => unknown }) {
  const [problem, setProblem] = useState('')
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]))
    try {
      setProblem('')
      await props.send(values)
    } catch (error) {
      setProblem(error instanceof CivigraphError ? error.message : String(error))
    }
  }
  return (
    <form onSubmit={submit}>
      {Object.entries(props.fields).map(([name, type]) => (
        <label key={name}>
          {name} <input name={name} type={type} required />
        </label>
      ))}
      <button type="submit">{props.button}</button>
      <p role="alert">{problem}</p>
    </form>
  )
}

type Citizen = NonNullable<CitizenFileQuery['citizen']>
type Delegations = NonNullable<Citizen['delegationsGiven']>['nodes']
const labelOf = (labels: readonly { lang: string; text: string }[]) => labels.find(({ lang }) => lang === 'en')?.text ?? labels[0]?.text

/** One query: what component A has verified, what D has delegated, the domains of B, and what C has heard about them. */
function CitizenFile({ code }: { code: string }) {
  const { data, error, loading } = useQuery(CitizenFileDocument, { variables: { code } })
  if (loading) return <p role="status">Looking …</p>
  if (error !== undefined || data?.citizen == null) return <p role="alert">{error?.message ?? 'There is no such citizen'}</p>
  const { verifications, delegationsGiven } = data.citizen
  return (
    <>
      <h2>Verifications of {code}</h2>
      <ul>
        {verifications?.nodes.map(({ id, documentType, outcome, status }) => (
          <li key={id}>
            {documentType}: {outcome ?? status}
          </li>
        ))}
      </ul>
      <h2>Delegations</h2>
      <DelegationTable delegations={delegationsGiven?.nodes ?? []} />
      <Live />
    </>
  )
}

function DelegationTable({ delegations }: { delegations: Delegations }) {
  return (
    <table>
      <thead>
        <tr>
          <th>to</th>
          <th>for</th>
          <th>expressions</th>
          <th>said last</th>
        </tr>
      </thead>
      <tbody>
        {delegations.map(({ id, delegate, domain, scope }) => (
          <tr key={id}>
            <td>{delegate.code}</td>
            <td>{labelOf(domain?.labels ?? []) ?? scope}</td>
            <td>{domain?.statistics.expressions}</td>
            <td>
              {domain?.expressions?.nodes.map(({ id, text, votes }) => (
                <p key={id} dir="auto">
                  {text} ({votes.agree} agree)
                </p>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What is said while the page is open, be the connection lost in between. */
function Live() {
  const { data } = useSubscription(ExpressionAddedDocument, { variables: { updates: false } })
  return (
    <p role="status" dir="auto">
      {data?.expressionAdded.expression?.text ?? 'Nothing new has been said yet.'}
    </p>
  )
}

function Page() {
  const [client, setClient] = useState<ApolloClient>()
  const [code, setCode] = useState('')
  const enter = async ({ email = '', password = '' }) => setClient(await signIn(email, password, () => setClient(undefined)))
  return (
    <>
      <h1>A citizen's file</h1>
      {client === undefined ? (
        <Form key="enter" fields={{ email: 'email', password: 'password' }} button="Sign in" send={enter} />
      ) : (
        <ApolloProvider client={client}>
          <Form key="find" fields={{ code: 'text' }} button="Find" send={({ code: given = '' }) => setCode(given)} />
          {code !== '' && <CitizenFile code={code} />}
        </ApolloProvider>
      )}
    </>
  )
}

const place = document.querySelector('#page')
if (place !== null) createRoot(place).render(<Page />)
