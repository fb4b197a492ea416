import { useCallback, useEffect, useState } from 'react'
import { GridList, GridListItem, Button as Handle, useDragAndDrop } from 'react-aria-components'
import { Button } from '../../../components/button.tsx'
import { Problem } from '../../../components/problem.tsx'
import { errorOf } from '../../frame/fault-boundary.tsx'
import { useContentPlace } from '../place/content-place.ts'
import type { ContentText, PlacedText } from '../place/content-view.ts'
import { Heading } from '../place/heading.tsx'
import { readChildren } from '../place/library.ts'
import { written } from '../text/language-of.ts'
import { useContentWords } from '../words/words.ts'
import type { Writer } from './writer.ts'
import './writing.css'
import { movesFor } from './placement.ts'

export interface OrderTextsProps {
  readonly node: PlacedText
  readonly writer: Writer
  readonly onMoved: () => void
  readonly onLeave: () => void
}

/** Reorders and nests the texts below one: by drag, keyboard or buttons. */
export function OrderTexts({ node, writer, onMoved, onLeave }: OrderTextsProps) {
  const { word } = useContentWords()
  const { library } = useContentPlace()
  const [texts, setTexts] = useState<readonly ContentText[]>([])
  const [isMoving, setMoving] = useState(false)
  const [moved, setMoved] = useState<string>()
  const [error, setError] = useState<Error>()
  const load = useCallback(() => readChildren(library, node.id).then(setTexts, setError), [library, node.id])
  useEffect(() => void load(), [load])

  const run = async (text: ContentText | undefined, move: (text: ContentText) => Promise<void>): Promise<void> => {
    if (text === undefined || isMoving) return
    setMoving(true)
    setError(undefined)
    try {
      await move(text)
      setMoved(text.title)
    } catch (refusal) {
      setError(errorOf(refusal))
    } finally {
      await load()
      setMoving(false)
      onMoved()
    }
  }
  const at = (id: unknown): number => texts.findIndex((text) => text.id === id)
  const putAt = (text: ContentText | undefined, index: number): Promise<void> =>
    run(text, async ({ id }) => {
      for (const move of movesFor(texts, id, index)) await writer.move({ ...move, parentId: node.id })
    })
  const putInto = (text: ContentText | undefined, parentId: string): Promise<void> => run(text, ({ id }) => writer.move({ id, parentId }))
  const putOut = (text: ContentText | undefined, above: string): Promise<void> =>
    run(text, async ({ id }) => {
      const siblings = await readChildren(library, above)
      const index = siblings.findIndex((each) => each.id === node.id) + 1
      for (const move of movesFor(siblings, id, index)) await writer.move({ ...move, parentId: above })
    })

  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: isMoving,
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': texts[at(key)]?.title ?? '' })),
    onMove({ keys, target }) {
      const [key] = keys
      const text = texts[at(key)]
      if (target.dropPosition === 'on') return void putInto(text, String(target.key))
      const others = texts.filter((each) => each.id !== key)
      const beside = others.findIndex((each) => each.id === target.key)
      void putAt(text, target.dropPosition === 'before' ? beside : beside + 1)
    },
  })

  return (
    <section aria-labelledby="order">
      <Heading id="order" below={1}>
        {word('order.title', { title: node.title })}
      </Heading>
      <p>{word('order.help')}</p>
      <GridList
        aria-labelledby="order"
        className="order"
        items={texts.map((text, index) => ({ text, index, id: text.id }))}
        dragAndDropHooks={dragAndDropHooks}
        dependencies={[texts, isMoving, word]}
      >
        {({ text, index }) => {
          const { title, id } = text
          const before = texts[index - 1]
          const above = node.parent_id
          return (
            <GridListItem textValue={title} className="ordered">
              <Handle slot="drag" className="handle" aria-label={word('order.drag', { title })}>
                ≡
              </Handle>
              <bdi className="what" {...written(text)}>
                {title}
              </bdi>
              <span className="steps">
                <Step text="↑" label={word('order.up', { title })} isOff={index === 0} onPress={() => putAt(texts[at(id)], index - 1)} />
                <Step
                  text="↓"
                  label={word('order.down', { title })}
                  isOff={index === texts.length - 1}
                  onPress={() => putAt(texts[at(id)], index + 1)}
                />
                <Step
                  text="⤷"
                  label={word('order.into', { title })}
                  isOff={before === undefined}
                  onPress={() => putInto(texts[at(id)], before?.id ?? '')}
                />
                <Step
                  text="⤴"
                  label={word('order.out', { title })}
                  isOff={above === null}
                  onPress={() => putOut(texts[at(id)], above ?? '')}
                />
              </span>
            </GridListItem>
          )
        }}
      </GridList>
      <p role="status" className="quiet">
        {isMoving ? word('loading') : moved !== undefined && word('order.moved', { title: moved })}
      </p>
      <Problem error={error} />
      <Button onPress={onLeave}>{word('close')}</Button>
    </section>
  )
}

function Step({ text, label, isOff, onPress }: { text: string; label: string; isOff: boolean; onPress: () => Promise<void> }) {
  return (
    <Handle className="button plain small" aria-label={label} isDisabled={isOff} onPress={() => void onPress()}>
      {text}
    </Handle>
  )
}
