import { PipelineDocument, type PipelineQuery } from '@civigraph/client/documents'
import { useState } from 'react'
import { useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Scrolling } from '../../components/keyboard.tsx'
import { useWords } from '../words/words.ts'
import { CardText } from './card-text.tsx'

type Model = NonNullable<PipelineQuery['models']>[number]

/** The models that classify expressions, each with its card: purpose, measurements and limits. */
export function Models() {
  const { word, named, list, language } = useWords()
  const [{ data }] = useQuery({ query: PipelineDocument })
  const [chosen, choose] = useState<Model>()
  const names = new Intl.DisplayNames(language, { type: 'language' })
  return (
    <section aria-labelledby="models">
      <h2 id="models">{word('models.title')}</h2>
      <Scrolling label={word('models.title')} className="stacked">
        <table className="findings">
          <thead>
            <tr>
              <th scope="col">{word('models.name')}</th>
              <th scope="col">{word('models.task')}</th>
              <th scope="col">{word('models.version')}</th>
              <th scope="col">{word('models.languages')}</th>
              <th scope="col">{word('models.licence')}</th>
              <th scope="col">{word('models.card')}</th>
            </tr>
          </thead>
          <tbody>
            {data?.models?.map((model) => (
              <tr key={`${model.name} ${model.task}`}>
                <th scope="row">{model.name}</th>
                <td data-label={word('models.task')}>{named('task', model.task)}</td>
                <td data-label={word('models.version')}>{model.version}</td>
                <td data-label={word('models.languages')}>
                  {list(model.languages.map((code) => (code === 'mul' ? word('models.many') : (names.of(code) ?? code))))}
                </td>
                <td data-label={word('models.licence')}>{model.licence}</td>
                <td data-label={word('models.card')}>
                  <Button aria-label={word('models.card-of', { name: model.name })} onPress={() => choose(model)}>
                    {word('models.read')}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      {chosen !== undefined && (
        <Dialog title={chosen.name} isOpen onClose={() => choose(undefined)}>
          <CardText markdown={chosen.card} />
          <Button look="main" onPress={() => choose(undefined)}>
            {word('close')}
          </Button>
        </Dialog>
      )}
    </section>
  )
}
