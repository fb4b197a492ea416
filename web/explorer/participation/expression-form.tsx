import { IngestExpressionDocument, type IngestExpressionMutation } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { mutated } from '../reading/graph.ts'
import { SentimentWord } from '../sentiment/sentiment-bar.tsx'
import { labelOfSentiment } from '../sentiment/sentiments.ts'
import type { NameOfTopic } from '../topics/topics.ts'
import type { MapFeature } from '../view/features.ts'
import { useFormats, useWords, writtenIn } from '../words/words.ts'
import { VoteButtons } from './vote-buttons.tsx'

type Accepted = NonNullable<IngestExpressionMutation['ingestExpression']>

export interface ExpressionFormProps {
  readonly nameOf: NameOfTopic
  readonly isVotingOpen: boolean
  /** ids of expressions that were withdrawn while the page is open */
  readonly withdrawn: ReadonlySet<string>
  readonly onShow: (feature: MapFeature) => void
}

const maxCharacters = 10_000

/** Submits an expression and shows its analysis and its place on the map. */
export function ExpressionForm({ nameOf, isVotingOpen, withdrawn, onShow }: ExpressionFormProps) {
  const { word } = useWords()
  const [accepted, setAccepted] = useState<Accepted>()
  return (
    <section className="panel say" aria-labelledby="say-title">
      <h2 id="say-title">{word('say')}</h2>
      {accepted === undefined ? (
        <WritingForm onAccepted={setAccepted} />
      ) : (
        <AcceptedExpression
          accepted={accepted}
          nameOf={nameOf}
          isVotingOpen={isVotingOpen}
          withdrawn={withdrawn}
          onShow={onShow}
          onAgain={() => setAccepted(undefined)}
        />
      )}
    </section>
  )
}

function WritingForm({ onAccepted }: { onAccepted: (accepted: Accepted) => void }) {
  const { word } = useWords()
  const [text, setText] = useState('')
  const [city, setCity] = useState('')
  const [country, setCountry] = useState('')
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<Error>()
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isPending) return
    setPending(true)
    setProblem(undefined)
    try {
      const where = {
        ...(city.trim() !== '' && { city: city.trim() }),
        ...(country.trim() !== '' && { country: country.trim().toUpperCase() }),
      }
      const location = Object.keys(where).length === 0 ? {} : { location: where }
      const { ingestExpression } = await mutated(IngestExpressionDocument, { input: { text, source: 'explorer', ...location } })
      if (ingestExpression != null) onAccepted(ingestExpression)
    } catch (error) {
      setProblem(error as Error)
    } finally {
      setPending(false)
    }
  }
  return (
    <form onSubmit={(event) => void send(event)}>
      <p>{word('say.lede')}</p>
      <Field label={word('say.text')} value={text} onChange={setText} isRequired isLong maxLength={maxCharacters} />
      <div className="fields">
        <Field label={word('say.city')} mark={word('optional')} value={city} onChange={setCity} maxLength={200} />
        <Field
          label={word('say.country')}
          mark={word('optional')}
          value={country}
          onChange={setCountry}
          maxLength={2}
          pattern="[A-Za-z]{2}"
        />
      </div>
      <Problem error={problem} />
      <Button look="main" type="submit" isPending={isPending}>
        {word('say.send')}
      </Button>
    </form>
  )
}

function AcceptedExpression({
  accepted,
  nameOf,
  isVotingOpen,
  withdrawn,
  onShow,
  onAgain,
}: ExpressionFormProps & { accepted: Accepted; onAgain: () => void }) {
  const { word } = useWords()
  const { languageName } = useFormats()
  const { id, text, lang, classification, sentiment, location, votes } = accepted.expression
  const isHeld = accepted.moderation === 'HELD'
  const topic = (classification?.subDomain ?? classification?.domain)?.domain.id
  if (withdrawn.has(id))
    return (
      <div role="status">
        <p>
          <strong>{word('say.withdrawn')}</strong>
        </p>
        <p>{word('say.withdrawn-means')}</p>
        <Button onPress={onAgain}>{word('say.again')}</Button>
      </div>
    )
  return (
    <div role="status">
      <p>
        <strong>{word(isHeld ? 'say.held' : accepted.created ? 'say.understood' : 'say.known')}</strong>
      </p>
      {!isHeld && <p className="quiet">{word('say.yours')}</p>}
      <blockquote {...writtenIn(lang?.code)}>{text}</blockquote>
      <dl className="facts">
        <dt>{word('say.topic')}</dt>
        <dd>{topic === undefined ? word('noTopic') : nameOf(topic)}</dd>
        <dt>{word('say.tone')}</dt>
        <dd>
          <SentimentWord of={sentiment?.label} />
        </dd>
        <dt>{word('say.language')}</dt>
        <dd>{languageName(lang?.code ?? 'und') ?? word('languageUnknown')}</dd>
        <dt>{word('say.place')}</dt>
        <dd>{location == null ? word('say.no-place') : (location.place ?? `${location.lat}, ${location.lon}`)}</dd>
      </dl>
      {isVotingOpen && !isHeld && <VoteButtons expressionId={id} votes={votes} />}
      <div className="row">
        {location != null && !isHeld && (
          <Button look="main" onPress={() => onShow(featureOf(accepted.expression, location))}>
            {word('say.show')}
          </Button>
        )}
        <Button onPress={onAgain}>{word('say.again')}</Button>
      </div>
    </div>
  )
}

/** The expression as a map feature. */
function featureOf(
  { id, classification, sentiment, lang, createdAt, votes }: Accepted['expression'],
  { lon, lat }: { readonly lon: number; readonly lat: number },
): MapFeature {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lon, lat] },
    properties: {
      cluster: false,
      id,
      domain: classification?.domain?.domain.id ?? null,
      sub_domain: classification?.subDomain?.domain.id ?? null,
      sentiment: labelOfSentiment(sentiment?.label),
      lang: lang?.code ?? 'und',
      created_at: createdAt,
      votes,
    },
  }
}
