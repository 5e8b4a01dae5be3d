import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MAIN } from '#tests/helpers/programs.ts'

/** Runs the server with these settings until it ends. Returns its exit code and its output. */
async function run(env: Record<string, string>): Promise<{ code: number | null; printed: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-settings-'))
  try {
    const child = spawn(process.execPath, [MAIN], {
      cwd: folder,
      env: { PATH: process.env['PATH'], DATA_DIR: folder, ...env },
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    const code = await new Promise<number | null>((done) => child.once('exit', done))
    return { code, printed }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

it.each([
  ['a wrong number', { PORT: 'many' }, 'PORT'],
  ['a wrong address', { AI_BASE_URL: 'ftp://x' }, 'AI_BASE_URL'],
  ['a half-set group', { S3_BUCKET: 'papers' }, 'S3_ENDPOINT'],
  ['a key without its service', { AI_API_KEY: 'k' }, 'AI_BASE_URL'],
  [
    'a secret file that is not there',
    { AI_API_KEY_FILE: '/nonexistent/key', AI_BASE_URL: 'http://127.0.0.1:1' },
    'AI_API_KEY_FILE',
  ],
  ['a wrong allow list', { GUARDED_FETCH_ALLOW: 'localhost' }, 'GUARDED_FETCH_ALLOW'],
  ['a folder without a sentence model', { EMBEDDING_MODEL_DIR: '/nonexistent/model' }, 'EMBEDDING_MODEL_DIR'],
  ['a prefix without a sentence model', { EMBEDDING_QUERY_PREFIX: 'query: ' }, 'EMBEDDING_MODEL_DIR'],
  ['a language of OCR without data', { OCR_LANGUAGES: 'eng,tlh' }, 'npm install @tesseract.js-data/tlh'],
  ['a sign-up of an unknown kind', { SIGN_UP: 'invite' }, 'SIGN_UP'],
  ['a domain with a port', { SIGN_UP_DOMAINS: 'example.org:80' }, 'SIGN_UP_DOMAINS'],
  ['no way to sign in', { PASSWORD_SIGN_IN: 'off' }, 'PASSWORD_SIGN_IN'],
  ['the name of no provider', { OIDC_NAME: 'Campus' }, 'OIDC_ISSUER'],
  ['a public address with a path', { PUBLIC_URL: 'https://example.org/lectern' }, 'PUBLIC_URL'],
  ['an address of another machine', { HOST: '192.0.2.1' }, 'HOST'],
  ['another database', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  ['a database that does not answer', { DATABASE_URL: 'postgres://me:secret@localhost:1/papers' }, 'DATABASE_URL'],
])('The start is refused at %s with one line that names the variable (API-53)', async (_what, env, name) => {
  const { code, printed } = await run(env)
  expect(code).toBe(1)
  expect(printed.trim().split('\n')).toHaveLength(1)
  expect(printed).toContain(name)
  expect(printed).not.toContain('secret@')
})

it('The settings never print a secret (API-43)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-secret-'))
  await writeFile(join(folder, 'key'), 'top-secret-key\n')
  const { printed } = await run({
    AI_API_KEY_FILE: join(folder, 'key'),
    AI_API_KEY: 'top-secret-key',
    AI_BASE_URL: 'http://127.0.0.1:1',
  })
  await rm(folder, { recursive: true })
  expect(printed).toContain('AI_API_KEY')
  expect(printed).not.toContain('top-secret-key')
})
