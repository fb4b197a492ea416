import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../../foundation/fault.ts'
import { faultStatus, isFaultCode } from '../../../foundation/http/fault-status.ts'
import { retryAfterOf } from '../../../gateway/protocols/graphql-http/answer-head.ts'
import { refusedRequest } from '../../../gateway/protocols/graphql-http/graphql-answer.ts'
import { httpRefusal } from '../../../rest-adapters/response/fault-to-http.ts'

const schemas = new URL('../../../schema/rest/', import.meta.url)
const codes = Object.keys(faultStatus).filter(isFaultCode)
const isRetried = (status: number): boolean => status === 429 || status === 503

describe.each(codes.filter((code) => isRetried(faultStatus[code])))('%s', (code) => {
  it.each([undefined, 1, 2500])('has Retry-After for retryAfterMs %s', (retryAfterMs) => {
    const fault = new Fault(code, 'not now', retryAfterMs === undefined ? {} : { retryAfterMs })
    const seconds = retryAfterMs === 2500 ? '3' : '1'
    expect(httpRefusal(fault, 'no token')).toMatchObject({ status: faultStatus[code], headers: { 'retry-after': seconds } })
    expect(retryAfterOf({ errors: [{ message: fault.message, extensions: fault.extensions }] })).toBe(seconds)
    expect(refusedRequest(fault).extensions.http).toMatchObject({ status: faultStatus[code], headers: new Map([['retry-after', seconds]]) })
  })
})

it.each(codes.filter((code) => !isRetried(faultStatus[code])))('%s has no Retry-After', (code) => {
  expect(httpRefusal(new Fault(code, 'no'), 'no token')?.headers ?? {}).not.toHaveProperty('retry-after')
})

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses?: Readonly<Record<string, { readonly headers?: object }>> }>>>
  >
}

it.each(readdirSync(schemas).filter((name) => name.endsWith('.openapi.json')))('%s describes it for every 429 and 503', (name) => {
  const { paths } = JSON.parse(readFileSync(new URL(name, schemas), 'utf8')) as Document
  const answers = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses = {} }]) =>
      Object.entries(responses).flatMap(([status, { headers = {} }]) =>
        isRetried(Number(status)) ? [{ at: `${method} ${path} ${status}`, headers }] : [],
      ),
    ),
  )
  expect(answers.length).toBeGreaterThan(3)
  expect(answers.filter(({ headers }) => !Object.hasOwn(headers, 'Retry-After'))).toEqual([])
})
