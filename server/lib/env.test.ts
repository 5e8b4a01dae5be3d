import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readEnv } from './env.ts'

describe('default settings', () => {
  const env = readEnv({})

  it('The default settings listen on this machine only, at port 3000, with data in ./data (API-44)', () => {
    expect([env.HOST, env.PORT, env.DATA_DIR]).toEqual(['127.0.0.1', 3000, resolve('data')])
  })

  it('The default settings use the embedded database, files under DATA_DIR and the built-in models (API-45, API-46, API-47)', () => {
    expect([env.DATABASE_URL, env.S3_ENDPOINT, env.AI_BASE_URL]).toEqual([undefined, undefined, undefined])
  })

  it('The default settings allow no private address to the guarded fetch (FUNC-13) and limit rates (API-52, FUNC-13)', () => {
    expect([env.GUARDED_FETCH_ALLOW, env.RATE_LIMIT]).toEqual([[], true])
  })

  it('The default settings use the public scholarly and drive services (API-48)', () => {
    const { OPENALEX_URL, CROSSREF_URL, UNPAYWALL_URL, GOOGLE_AUTH_URL, GOOGLE_TOKEN_URL, GOOGLE_DRIVE_URL } = env
    const { ARXIV_URL, OPENLIBRARY_URL, ZOTERO_URL } = env
    const drive = [GOOGLE_AUTH_URL, GOOGLE_TOKEN_URL, GOOGLE_DRIVE_URL]
    const hosts = [OPENALEX_URL, CROSSREF_URL, UNPAYWALL_URL, ARXIV_URL, OPENLIBRARY_URL, ZOTERO_URL, ...drive]
    expect(hosts.map((url) => new URL(url).host)).toEqual([
      'api.openalex.org',
      'api.crossref.org',
      'api.unpaywall.org',
      'export.arxiv.org',
      'openlibrary.org',
      'api.zotero.org',
      'accounts.google.com',
      'oauth2.googleapis.com',
      'www.googleapis.com',
    ])
  })

  it('The default product name is Lectern (API-51)', () => expect(env.PRODUCT_NAME).toBe('Lectern'))
})

describe('setting', () => {
  it('Settings change the address of every outside service (API-48)', () => {
    const services = {
      OPENALEX_URL: 'http://127.0.0.1:1/a',
      CROSSREF_URL: 'http://127.0.0.1:1/b',
      UNPAYWALL_URL: 'http://127.0.0.1:1/c',
      ARXIV_URL: 'http://127.0.0.1:1/h',
      OPENLIBRARY_URL: 'http://127.0.0.1:1/i',
      ZOTERO_URL: 'http://127.0.0.1:1/j',
      GOOGLE_AUTH_URL: 'http://127.0.0.1:1/d',
      GOOGLE_TOKEN_URL: 'http://127.0.0.1:1/e',
      GOOGLE_DRIVE_URL: 'http://127.0.0.1:1/f',
      OIDC_ISSUER: 'http://127.0.0.1:1/g',
      OIDC_CLIENT_ID: 'id',
      OIDC_CLIENT_SECRET: 'secret',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'post@example.org',
    }
    expect(readEnv(services)).toMatchObject(services)
  })

  it('Settings exist for keys, mail, address, log and metrics (API-50)', () => {
    const given = {
      OPENALEX_API_KEY: 'k',
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 'secret',
      PUBLIC_URL: 'https://lectern.example.org',
      LOG_LEVEL: 'debug',
      METRICS_TOKEN: 'token',
      CONTACT_EMAIL: 'librarian@example.org',
    }
    expect(readEnv(given)).toMatchObject(given)
  })

  it.each(['HTTPS://Lectern.Example.org', 'https://lectern.example.org/', 'https://lectern.example.org:443'])(
    'PUBLIC_URL=%s is stored as an origin in lower case',
    (address) => {
      expect(readEnv({ PUBLIC_URL: address }).PUBLIC_URL).toBe('https://lectern.example.org')
    },
  )

  it.each(['off', 'false', '0'])('RATE_LIMIT=%s switches the rate limit off (API-52)', (word) => {
    expect(readEnv({ RATE_LIMIT: word }).RATE_LIMIT).toBe(false)
  })

  it('OCR_LANGUAGES is a comma list of codes without repetitions', () => {
    expect(readEnv({ OCR_LANGUAGES: 'eng, chi_sim,eng' }).OCR_LANGUAGES).toEqual(['eng', 'chi_sim'])
    expect(() => readEnv({ OCR_LANGUAGES: 'eng+fra' })).toThrow('OCR_LANGUAGES: must be a comma list')
    expect(readEnv({ OCR_LANGUAGES: 'osd,eng' }).OCR_LANGUAGES).toEqual(['eng'])
    expect(() => readEnv({ OCR_LANGUAGES: 'osd' })).toThrow('osd is not a language')
  })

  it('TRUSTED_PROXIES accepts addresses and networks only', () => {
    expect(readEnv({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1' }).TRUSTED_PROXIES).toEqual([
      '127.0.0.1',
      '10.0.0.0/8',
      '::1',
    ])
    for (const wrong of ['proxy.example.org', '10.0.0.0/99', '*'])
      expect(() => readEnv({ TRUSTED_PROXIES: wrong })).toThrow('TRUSTED_PROXIES: must be a comma list')
  })

  it('A secret setting can be read from a file (API-43)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-settings-'))
    writeFileSync(join(folder, 'secret'), 'from a file\n')
    try {
      const env = readEnv({ METRICS_TOKEN_FILE: join(folder, 'secret') })
      expect(env.METRICS_TOKEN).toBe('from a file')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
