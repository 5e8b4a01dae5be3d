import { expect, it } from 'vitest'
import { StartError } from '#server/lib/start-error.ts'
import { asStartError } from './requirements.ts'

const refused = (code: string) => Object.assign(new Error('refused'), { code })

it.each(['0A000', '58P01'])(
  'The error for an extension without files on the server (%s) names its package and the SQL',
  (code) => {
    const error = asStartError(refused(code), 'vector', 'pgvector 0.8 or newer', 'papers')
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toBe(
      'The database server has no extension vector (pgvector 0.8 or newer): install it there, then run as a superuser in the database papers: CREATE EXTENSION vector;',
    )
  },
)

it('Another error of CREATE EXTENSION stays unchanged', () => {
  const error = refused('53100')
  expect(asStartError(error, 'vector', 'pgvector', 'papers')).toBe(error)
})
