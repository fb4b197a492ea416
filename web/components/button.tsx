import { Button as Behaviour, type ButtonProps } from 'react-aria-components'

type Look = 'main' | 'plain' | 'danger'

/** A button whose look shows the weight of its action. While pending it is announced as busy and cannot be pressed. */
export function Button({ look = 'plain', ...props }: ButtonProps & { look?: Look }) {
  return <Behaviour {...props} className={`button ${look}`} />
}
