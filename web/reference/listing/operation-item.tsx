import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Badge } from '../../components/status.tsx'
import { useAccess } from '../access/access.tsx'
import { isSatisfied } from '../access/credentials.ts'
import { English } from '../interface/document.tsx'
import type { Operation } from '../interface/operations.ts'
import { CopyButton } from '../operation/copy-button.tsx'
import { Responses } from '../operation/responses.tsx'
import { AnswerPanel } from '../trying/answer-panel.tsx'
import { RequestForm } from '../trying/request-form.tsx'
import { useTrial } from '../trying/use-trial.ts'
import { useWords } from '../words/words.ts'

export interface OperationItemProps {
  readonly operation: Operation
  readonly isOpen: boolean
  readonly isHidden: boolean
  readonly onToggle: () => void
}

export const elementIdOf = (place: string): string => `operation-${place}`

/** An operation in one line, with its details when opened. Input is kept while it is closed. */
export function OperationItem({ operation, isOpen, isHidden, onToggle }: OperationItemProps) {
  const { word } = useWords()
  const { place, method, path, summary, isDeprecated, security } = operation
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  const id = elementIdOf(place)
  const schemes = schemesOf(operation)
  return (
    <li className="operation" hidden={isHidden} data-method={method}>
      <h3>
        <button type="button" id={id} aria-expanded={isOpen} aria-controls={`${id}-all`} onClick={onToggle}>
          <span className="method">{method}</span>
          <code dir="ltr" className={isDeprecated ? 'path deprecated' : 'path'}>
            {path}
          </code>
          <span className="summary" lang="en" dir="ltr">
            {summary}
          </span>
          {isDeprecated && <span className="mark">{word('deprecated')}</span>}
          {security.length > 0 && (
            <span className="mark">
              <bdi dir="ltr">{schemes.join(' | ')}</bdi>
            </span>
          )}
        </button>
      </h3>
      <div id={`${id}-all`} className="all" hidden={!isOpen}>
        {wasOpened && <OperationDetails operation={operation} />}
      </div>
    </li>
  )
}

const schemesOf = ({ security }: Operation): readonly string[] => security.map((each) => Object.keys(each).join(' + '))

function OperationDetails({ operation }: { operation: Operation }) {
  const { word } = useWords()
  const { place, id, description, marks, security } = operation
  const { secrets, setOpen } = useAccess()
  const state = useTrial()
  return (
    <>
      <English text={description} level={3} />
      <p className="row">
        <code dir="ltr">{id}</code>
        {marks.map((mark) => (
          <span key={mark} className="mark">
            <bdi dir="ltr">{mark}</bdi>
          </span>
        ))}
        <CopyButton label={word('copy-link')} text={() => new URL(`#/${place}`, location.href).href} />
      </p>
      <p className="row">
        {security.length === 0 ? (
          word('open-to-all')
        ) : (
          <>
            {word('opened-by', { schemes: schemesOf(operation).join(' | ') })}
            {isSatisfied(security, secrets) && <Badge kind="good">{word('access.in-use')}</Badge>}
            <Button onPress={() => setOpen(true)}>{word('authorize')}</Button>
          </>
        )}
      </p>
      <div className="sides">
        <RequestForm operation={operation} state={state} />
        <div className="answers">
          <AnswerPanel operation={operation} trial={state.trial} />
          <Responses operation={operation} />
        </div>
      </div>
    </>
  )
}
