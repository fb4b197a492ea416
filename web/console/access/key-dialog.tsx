import {
  CreateServiceKeyDocument,
  RotateServiceKeyDocument,
  type ServiceKeySecretsFieldsFragment,
  type ServiceScope,
} from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { FocusedText } from '../../components/keyboard.tsx'
import { dictionary } from '../../shared/words/language.tsx'
import { useWords } from '../words/words.ts'
import ar from './key-words/ar.json' with { type: 'json' }
import en from './key-words/en.json' with { type: 'json' }
import fr from './key-words/fr.json' with { type: 'json' }

/** The words for service keys. */
export const useKeyWords = dictionary({ fr, en, ar })

const scopes: readonly ServiceScope[] = ['SUBMIT', 'RESULTS', 'RESULTS_ALL', 'VOTES_WRITE', 'ADMIN']
const defaultScopes: readonly ServiceScope[] = ['SUBMIT', 'RESULTS']
const defaultHours = '24'

export interface KeyDialogProps {
  /** the service whose key is replaced; undefined creates a key */
  readonly name: string | undefined
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** Creates or replaces a key, then shows key and callback secret once; the dialog stays open until the user confirms that they are saved. */
export function KeyDialog({ name, onChanged, onClose }: KeyDialogProps) {
  const { word: keyWord } = useKeyWords()
  const [secrets, setSecrets] = useState<ServiceKeySecretsFieldsFragment>()
  const made = (shown: ServiceKeySecretsFieldsFragment): void => {
    setSecrets(shown)
    onChanged()
  }
  const title = name === undefined ? keyWord('keys.create') : keyWord('keys.rotate-one', { name })
  return (
    <Dialog title={title} isOpen onClose={secrets === undefined ? onClose : undefined}>
      {secrets !== undefined && <Secrets secrets={secrets} onRead={onClose} />}
      {secrets === undefined && name === undefined && <NewKey onCreated={made} onClose={onClose} />}
      {secrets === undefined && name !== undefined && <Rotation name={name} onCreated={made} onClose={onClose} />}
    </Dialog>
  )
}

interface TaskProps {
  readonly onCreated: (secrets: ServiceKeySecretsFieldsFragment) => void
  readonly onClose: () => void
}

function NewKey({ onCreated, onClose }: TaskProps) {
  const { named } = useWords()
  const { word: keyWord } = useKeyWords()
  const [{ error, fetching }, create] = useMutation(CreateServiceKeyDocument)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(defaultScopes)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const { data } = await create({ input: { name: name.trim(), scopes: [...chosen] } })
    if (data?.createServiceKey != null) onCreated(data.createServiceKey.secrets)
  }
  return (
    <Form onSubmit={submit} error={error}>
      <Field
        name="name"
        label={keyWord('keys.name')}
        help={keyWord('keys.name-help')}
        value={name}
        onChange={setName}
        isRequired
        autoComplete="off"
        autoFocus
      />
      <fieldset>
        <legend>{keyWord('keys.scopes')}</legend>
        {scopes.map((scope) => (
          <label key={scope} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(scopes.filter((each) => (each === scope ? checked : chosen.includes(each))))
              }
            />{' '}
            {named('scope', scope)}
          </label>
        ))}
      </fieldset>
      <div className="row">
        <Button onPress={onClose}>{keyWord('cancel')}</Button>
        <Button look="main" type="submit" isDisabled={chosen.length === 0} isPending={fetching}>
          {keyWord('keys.create')}
        </Button>
      </div>
    </Form>
  )
}

function Rotation({ name, onCreated, onClose }: TaskProps & { name: string }) {
  const { word: keyWord } = useKeyWords()
  const [{ error, fetching }, rotate] = useMutation(RotateServiceKeyDocument)
  const [hours, setHours] = useState(defaultHours)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const { data } = await rotate({ input: { name, overlapHours: Number(hours) } })
    if (data?.rotateServiceKey != null) onCreated(data.rotateServiceKey.secrets)
  }
  return (
    <Form onSubmit={submit} error={error}>
      <p>{keyWord('keys.rotate-help')}</p>
      <Field
        name="overlapHours"
        label={keyWord('keys.overlap')}
        type="number"
        value={hours}
        onChange={setHours}
        isRequired
        input={{ min: '0', max: '8760' }}
        autoFocus
      />
      <div className="row">
        <Button onPress={onClose}>{keyWord('cancel')}</Button>
        <Button look="main" type="submit" isPending={fetching}>
          {keyWord('keys.rotate')}
        </Button>
      </div>
    </Form>
  )
}

function Secrets({ secrets: { name, key, callbackSecret }, onRead }: { secrets: ServiceKeySecretsFieldsFragment; onRead: () => void }) {
  const { word: keyWord } = useKeyWords()
  const [copied, setCopied] = useState('')
  const copy = async (text: string): Promise<void> => {
    // without the permission the user can still select and copy the text
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => undefined,
    )
  }
  return (
    <>
      <FocusedText>{keyWord('keys.shown', { name })}</FocusedText>
      {(
        [
          ['keys.key', key],
          ['keys.callback-secret', callbackSecret],
        ] as const
      ).map(([term, text]) => (
        <div key={term}>
          <p>
            {keyWord(term)}
            <br />
            <code className="whole" dir="ltr">
              {text}
            </code>
          </p>
          <Button aria-label={`${keyWord('keys.copy')}: ${keyWord(term)}`} onPress={() => void copy(text)}>
            {keyWord('keys.copy')}
          </Button>
        </div>
      ))}
      <p role="status">{copied !== '' && keyWord('keys.copied')}</p>
      <Button look="main" onPress={onRead}>
        {keyWord('keys.saved')}
      </Button>
    </>
  )
}
