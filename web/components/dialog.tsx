import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  /** absent: the dialog stays until its task is done */
  readonly onClose?: (() => void) | undefined
  readonly children: ReactNode
}

/** A modal dialog: keeps the focus inside and returns it on close. */
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
        <AriaDialog>
          <Heading slot="title">{title}</Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
