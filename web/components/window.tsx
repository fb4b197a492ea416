import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

export interface WindowProps {
  readonly title: string
  readonly isOpen: boolean
  /** absent: it stays until what it asks is done */
  readonly onClose?: (() => void) | undefined
  readonly children: ReactNode
}

/** What has to be seen to before the page goes on. The focus is kept inside, and returns to where it was. */
export function Window({ title, isOpen, onClose, children }: WindowProps) {
  const isKept = onClose === undefined
  return (
    <ModalOverlay
      className="veil"
      isOpen={isOpen}
      isDismissable={false}
      isKeyboardDismissDisabled={isKept}
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
