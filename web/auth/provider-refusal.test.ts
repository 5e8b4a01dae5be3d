import { expect, it } from 'vitest'
import { refusalOf } from './provider-refusal.ts'

it.each(['account_not_linked', 'email_not_verified'])(
  'The message for %s names a password only if the server has passwords',
  (code) => {
    expect(refusalOf(code, true)).toMatch(/password/i)
    expect(refusalOf(code, false)).not.toMatch(/password/i)
    expect(refusalOf(code, false)).toContain('Ask an administrator')
  },
)
