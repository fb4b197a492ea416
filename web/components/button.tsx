import { Button as Behaviour, type ButtonProps } from 'react-aria-components'

type Look = 'main' | 'plain' | 'danger'

/** A button that tells by its look what is at stake. While it is pending it is announced as busy and cannot be pressed again. */
export function Button({ look = 'plain', ...props }: ButtonProps & { look?: Look }) {
  return <Behaviour {...props} className={`button ${look}`} />
}
