import { addressOf } from './addresses.ts'
import type { ShownComponent } from './facts.ts'
import type { Health } from './use-healths.ts'
import { useWords } from './words/words.ts'

type ComponentName = ShownComponent['name']

/** the colour that repeats the meaning of the state */
const colours = { OK: 'good', DEGRADED: 'warn', DOWN: 'bad', SILENT: 'bad' } as const

/** components whose REST interface serves a public page at / */
const withPage: ReadonlySet<ComponentName> = new Set(['verification', 'exploration', 'administration', 'content'])

/** One component: description, state and links. @param health - undefined while loading */
export function ComponentItem({ name, health }: { name: ComponentName; health: Health | undefined }) {
  const { word, named } = useWords()
  const address = addressOf(name)
  const title = named('name', name)
  return (
    <li className="card" data-component={name}>
      <h3>
        <span className="letter" aria-hidden="true">
          {named('letter', name)}
        </span>{' '}
        {title}{' '}
        <span className="state" data-state={health && colours[health.status]}>
          {health === undefined ? word('state.asking') : word(`state.${health.status}`)}
        </span>
      </h3>
      <p>{named('about', name)}</p>
      <p className="quiet">
        {address === undefined ? (
          word('rest-elsewhere')
        ) : (
          <>
            {word('rest-at')} <code dir="ltr">{address}</code>
          </>
        )}
      </p>
      {address !== undefined && (
        <ul className="links">
          {withPage.has(name) && <Link href={`${address}/`} text={named('page', name)} of={title} />}
          <Link href={`${address}/docs`} text={word('rest-documentation')} of={title} />
          <Link href={`${address}/openapi.json`} text={word('openapi')} of={title} />
          <Link href={`${address}/health`} text={word('health')} of={title} />
        </ul>
      )}
      <ul className="checks">
        {health?.checks.map(({ name: check, engine, status, latencyMs }) => (
          <li key={check} data-state={status === 'OK' ? 'good' : 'bad'}>
            {named('check', check).replaceAll('_', ' ')}:{' '}
            {status === 'OK' ? <bdi dir="ltr">{`${engine}, ${Math.max(1, Math.round(latencyMs))} ms`}</bdi> : word('check.down')}
          </li>
        ))}
      </ul>
    </li>
  )
}

function Link({ href, text, of }: { href: string; text: string; of: string }) {
  return (
    <li>
      <a href={href}>
        {text}
        <span className="unseen">: {of}</span>
      </a>
    </li>
  )
}
