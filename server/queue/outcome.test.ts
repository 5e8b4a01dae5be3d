import { describe, expect, it } from 'vitest'
import { AppError } from '#server/lib/errors.ts'
import { errorBeforeAttempt, judgeFailure } from './outcome.ts'

const busy = (retryAfter?: number) => new AppError('too_many', 'Too many requests.', { retryAfter })

describe('judgeFailure', () => {
  it.each([
    [busy(), 1, 5],
    [busy(), 2, 10],
    [busy(), 3, 20],
    [busy(), 4, null],
    [busy(60), 1, 60],
    [busy(2), 3, 20],
    [busy(3600), 1, null],
    [new AppError('outside_failed', 'x'), 1, 5],
    [new AppError('outside_slow', 'x'), 1, 5],
    [new AppError('outside_failed', 'x', { permanent: true }), 1, null],
    [new AppError('refused', 'x'), 1, null],
    [new AppError('conflict', 'x'), 1, null],
    [new TypeError('x'), 1, null],
    ['thrown text', 1, null],
  ])('judgeFailure retries %o of attempt %i after %o s', (error, attempt, retryIn) => {
    expect(judgeFailure(error, attempt).retryIn).toBe(retryIn)
  })

  it('judgeFailure returns only messages for users', () => {
    expect(judgeFailure(busy(), 9).message).toBe('Too many requests.')
    expect(judgeFailure(new TypeError('x is not a function'), 1).message).toBe('An unknown error occurred.')
  })
})

describe('errorBeforeAttempt', () => {
  const row = { error: null, status: 'running', attempt: 3 }
  it.each([
    ['after three crashes', row, 0, 'The processing stopped unexpectedly several times. Please try again later.'],
    ['after two failures of a service and a crash', row, 2, undefined],
    ['after two crashes', { ...row, attempt: 2 }, 0, undefined],
    ['after three failures of a service', { ...row, status: 'queued' }, 3, undefined],
    ['after a cancellation', { ...row, error: 'Cancelled' }, 2, 'Cancelled'],
  ])('errorBeforeAttempt decides %s', (_when, job, failures, error) => {
    expect(errorBeforeAttempt(job, failures)).toBe(error)
  })
})
