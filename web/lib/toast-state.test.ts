import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dismiss, shownToast, toast } from './toast-state.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('A dismissed toast is removed after 1,000,000 ms (CONST-05)', () => {
  toast({ title: 'Project created' })
  dismiss(shownToast()!.id)
  expect(shownToast()).toMatchObject({ title: 'Project created', open: false })
  vi.advanceTimersByTime(999_999)
  expect(shownToast()).not.toBeNull()
  vi.advanceTimersByTime(1)
  expect(shownToast()).toBeNull()
})
