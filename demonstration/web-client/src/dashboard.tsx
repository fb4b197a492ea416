import { useQuery } from '@apollo/client/react'
import { graphql } from './gql'
import { Problem } from './problem.tsx'

const Dashboard = graphql(`
  query Dashboard {
    me { id name roles }
    statistics { expressions { total today } votes { total } }
    ... @defer { domains { domains { id label(lang: "en") statistics { expressions } } } }
  }
`)

/** Figures at once; the domains follow in a deferred part of the same response. */
export function DashboardView() {
  const { data, error } = useQuery(Dashboard, { errorPolicy: 'all' })
  return (
    <>
      <h1>Dashboard</h1>
      {error !== undefined && <Problem error={error} />}
      <p>{data?.me?.name}</p>
      <output aria-label="expressions">{data?.statistics?.expressions.total}</output>
      <ul aria-label="domains">
        {data?.domains?.domains.map(({ id, label, statistics }) => (
          <li key={id}>{`${label}: ${statistics.expressions}`}</li>
        ))}
      </ul>
    </>
  )
}
