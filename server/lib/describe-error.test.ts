import { describe, expect, it } from 'vitest'
import { describeError, scrub } from './describe-error.ts'

describe('logged error', () => {
  it('A logged database error keeps the statement and the names, and none of the values', () => {
    const refused = Object.assign(new Error('duplicate key value: Key (email)=(ada@example.org) already exists'), {
      severity: 'ERROR',
      code: '23505',
      constraint: 'user_email_unique',
      table: 'user',
      detail: 'Key (email)=(ada@example.org) already exists.',
    })
    const failed = Object.assign(
      new Error('Failed query: insert into "user" values ($1)\nparams: ada@example.org,My secret paper', {
        cause: refused,
      }),
      { query: 'insert into "user" values ($1)', params: ['ada@example.org', 'My secret paper'] },
    )
    const described = describeError(failed)
    expect(described).toMatchObject({
      message: 'Failed query: insert into "user" values ($1)',
      cause: { message: 'ERROR 23505', code: '23505', constraint: 'user_email_unique', table: 'user' },
    })
    expect(JSON.stringify(described)).not.toMatch(/ada@|secret paper/)
    expect(described.stack).toContain('describe-error.test.ts')
  })

  it('A logged error keeps the messages of its causes, without the query of a URL', () => {
    expect(describeError(new Error('GET https://api.example.org/works?api_key=abc failed')).message).toBe(
      'GET https://api.example.org/works?… failed',
    )
    expect(describeError('a bare string, which may be anything')).toEqual({ type: 'string', message: 'string' })
  })
})

describe('log line', () => {
  it('A log line contains no e-mail addresses, bearer tokens or secrets of URLs', () => {
    expect(scrub('550 no such user <ada.b+c@mail.example.org>')).toBe('550 no such user <[e-mail]>')
    expect(scrub('authorization: Bearer abcdefgh12345')).toBe('authorization: Bearer [secret]')
    expect(scrub('/auth/v1/verify-email?token=abcdefgh12345&x=1')).toBe('/auth/v1/verify-email?token=[secret]&x=1')
  })

  it('A log line without personal data stays unchanged', () => {
    const line = '{"level":30,"route":"GET /api/documents/:id","status":200,"ms":3}'
    expect(scrub(line)).toBe(line)
  })
})
