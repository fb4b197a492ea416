import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

export interface WindowProps {
  readonly title: string
  readonly isOpen: boolean
  /** absent: the window stays until its task is done */
  readonly onClose?: (() => void) | undefined
  readonly children: ReactNode
}

/** A modal dialog: keeps the focus inside and returns it on close. */
export function Window({ title, isOpen, onClose, children }: WindowProps) {
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
        <Dialog>
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
