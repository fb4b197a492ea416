import { GraphQLError } from 'graphql'
import { expect, it } from 'vitest'
import { maskedError } from '../../../../gateway/errors/masked-error.ts'
import { recordedLog } from '../../../support/gateway/town.ts'

it('says which argument a subgraph did not take, and repeats nothing of it, in no log either', () => {
  const { log, lines } = recordedLog()
  const error = new GraphQLError('Argument "input" has invalid value {selfie: "c2VsZmll", firstName: "Awa"}.')
  const masked = maskedError(error, { requestId: 'r', log })
  expect(masked.toJSON()).toEqual({
    message: 'Argument "input" has an invalid value.',
    extensions: {
      code: 'BAD_USER_INPUT',
      entries: [{ code: 'invalid', path: ['input'], message: 'It has an invalid value' }],
      requestId: 'r',
    },
  })
  expect(JSON.stringify(lines)).not.toContain('c2VsZmll')
})
