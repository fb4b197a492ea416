import { GraphQLError } from 'graphql'
import { describe, expect, it } from 'vitest'
import { Deadline } from '../../../../foundation/concurrency/deadline.ts'
import { truthful } from '../../../../gateway/errors/outcome-unknown.ts'

const failed = (code: string, ...path: readonly string[]) =>
  new GraphQLError('no', { path, extensions: { code, requestId: 'r', serviceName: 's', retryAfterMs: 1000 } })
const deadlineOf = (isTakenIn: boolean): Deadline => {
  const deadline = new Deadline({ timeoutMs: Number.POSITIVE_INFINITY })
  if (isTakenIn) deadline.takenIn()
  return deadline
}
const codes = (data: Record<string, unknown> | null, errors: readonly GraphQLError[], isTakenIn = true) =>
  truthful({ data, errors }, { deadline: deadlineOf(isTakenIn) }).errors?.map(({ extensions }) => extensions.code)

describe('what failed in an operation', () => {
  it.each(['ENGINE_UNAVAILABLE', 'DEADLINE_EXCEEDED', 'OVERLOADED'])(
    'by which something may have been taken in is no %s any more: the caller could send it again',
    (code) => {
      expect(codes(null, [failed(code, 'submit')])).toEqual(['OUTCOME_UNKNOWN'])
      expect(codes({ submit: { job: null } }, [failed(code, 'submit', 'job')])).toEqual(['OUTCOME_UNKNOWN'])
      expect(codes(null, [failed(code)])).toEqual(['OUTCOME_UNKNOWN'])
    },
  )

  it('by which nothing was taken in stays what it is, and so do codes that promise nothing', () => {
    expect(codes(null, [failed('ENGINE_UNAVAILABLE', 'submit')], false)).toEqual(['ENGINE_UNAVAILABLE'])
    expect(codes({ submit: null }, [failed('FORBIDDEN', 'submit'), failed('INTERNAL', 'submit', 'job')])).toEqual(['FORBIDDEN', 'INTERNAL'])
  })

  it('of several mutations speaks for the one it stands at; below a field it is unknown', () => {
    expect(codes({ first: {}, second: null }, [failed('DEADLINE_EXCEEDED', 'second')])).toEqual(['DEADLINE_EXCEEDED'])
    expect(codes({ first: { job: null }, second: {} }, [failed('ENGINE_UNAVAILABLE', 'first', 'job')])).toEqual(['OUTCOME_UNKNOWN'])
  })

  it('says so at the same place, for the same request, without a time after which to send it again', () => {
    const { errors } = truthful({ data: null, errors: [failed('OVERLOADED', 'submit')] }, { deadline: deadlineOf(true) })
    expect(errors?.[0]?.toJSON()).toEqual({
      message: expect.stringContaining('send it again with the same key'),
      path: ['submit'],
      extensions: { code: 'OUTCOME_UNKNOWN', requestId: 'r', serviceName: 's' },
    })
  })
})
