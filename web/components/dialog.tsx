import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  /** absent: the dialog stays until its task is done */
  readonly onClose?: (() => void) | undefined
  readonly children: ReactNode
}

/** Scrolls to what receives the focus: React Aria focuses without scrolling, so that a field at the end of a long dialog would be out of sight. */
const showFocused = (dialog: HTMLElement | null): void =>
  dialog?.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest' })
  })

/** A modal dialog: keeps the focus inside, visible, and returns it on close. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const isRestored = onClose === undefined
  return (
    <ModalOverlay
      className="veil"
      isOpen={isOpen}
      isDismissable={false}
      isKeyboardDismissDisabled={isRestored}
      onOpenChange={(open) => !open && onClose?.()}
    >
      <Modal className="window">
        <AriaDialog ref={showFocused}>
          <Heading slot="title">{title}</Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
