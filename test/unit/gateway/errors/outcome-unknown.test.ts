import { GraphQLError } from 'graphql'
import { describe, expect, it } from 'vitest'
import { Deadline } from '../../../../foundation/concurrency/deadline.ts'
import { withUnknownOutcome } from '../../../../gateway/errors/outcome-unknown.ts'

const failed = (code: string, ...path: readonly string[]) =>
  new GraphQLError('no', { path, extensions: { code, requestId: 'r', serviceName: 's', retryAfterMs: 1000 } })
const deadlineOf = (isCommitted: boolean): Deadline => {
  const deadline = new Deadline({ timeoutMs: Number.POSITIVE_INFINITY })
  if (isCommitted) deadline.recordCommit()
  return deadline
}
const codes = (data: Record<string, unknown> | null, errors: readonly GraphQLError[], isCommitted = true) =>
  withUnknownOutcome({ data, errors }, { deadline: deadlineOf(isCommitted) }).errors?.map(({ extensions }) => extensions.code)

describe('an error of an operation', () => {
  it.each(['ENGINE_UNAVAILABLE', 'DEADLINE_EXCEEDED', 'OVERLOADED'])(
    'that may have been committed replaces %s: the caller could send it again',
    (code) => {
      expect(codes(null, [failed(code, 'submit')])).toEqual(['OUTCOME_UNKNOWN'])
      expect(codes({ submit: { job: null } }, [failed(code, 'submit', 'job')])).toEqual(['OUTCOME_UNKNOWN'])
      expect(codes(null, [failed(code)])).toEqual(['OUTCOME_UNKNOWN'])
    },
  )

  it('that committed nothing is unchanged, as are codes that promise nothing', () => {
    expect(codes(null, [failed('ENGINE_UNAVAILABLE', 'submit')], false)).toEqual(['ENGINE_UNAVAILABLE'])
    expect(codes({ submit: null }, [failed('FORBIDDEN', 'submit'), failed('INTERNAL', 'submit', 'job')])).toEqual(['FORBIDDEN', 'INTERNAL'])
  })

  it('of one mutation of several depends on that mutation; below a field the outcome is unknown', () => {
    expect(codes({ first: {}, second: null }, [failed('DEADLINE_EXCEEDED', 'second')])).toEqual(['DEADLINE_EXCEEDED'])
    expect(codes({ first: { job: null }, second: {} }, [failed('ENGINE_UNAVAILABLE', 'first', 'job')])).toEqual(['OUTCOME_UNKNOWN'])
  })

  it('keeps its path and request id, and has no retryAfterMs', () => {
    const { errors } = withUnknownOutcome({ data: null, errors: [failed('OVERLOADED', 'submit')] }, { deadline: deadlineOf(true) })
    expect(errors?.[0]?.toJSON()).toEqual({
      message: expect.stringContaining('send it again with the same key'),
      path: ['submit'],
      extensions: { code: 'OUTCOME_UNKNOWN', requestId: 'r', serviceName: 's' },
    })
  })
})
