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

it.each([
  ['$day" got invalid value "2026-02-30"; A Date is a day', ['day']],
  ['$filter" got invalid value "2026-02-30" at "filter.from"; A Date is a day', ['from']],
  ['$input" got invalid value "x\\" at \\"input.other\\"; y" at "input.jobs[2].bornOn"; A Date is a day', ['jobs', 2, 'bornOn']],
  ['$day" got invalid value "x\\" at \\"filter.other\\"; y"; A Date is a day', ['day']],
])('says where in a variable the value stands that a scalar refused: "%s', (rest, path) => {
  const entry = { code: 'invalid', path: [], message: 'A Date is a day' }
  const error = new GraphQLError(`Variable "${rest}`, { extensions: { code: 'BAD_USER_INPUT', entries: [entry] } })
  const masked = maskedError(error, { requestId: 'r', log: recordedLog().log })
  expect(masked.extensions.entries).toEqual([{ ...entry, path }])
  expect(masked.message).not.toContain('2026-02-30')
})
