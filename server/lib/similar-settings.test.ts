import { expect, it } from 'vitest'
import { SETTING_NAMES } from './env.ts'
import { similarSettings } from './similar-settings.ts'

const resembled = (name: string) => similarSettings([name], SETTING_NAMES)[0]?.resembles

it.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['SINGUP', undefined],
  ['SIGNUP', 'SIGN_UP'],
  ['OIDC_ISUER', 'OIDC_ISSUER'],
  ['AUTH_SECRET_FILES', 'AUTH_SECRET_FILE'],
])('%s resembles the setting %s', (name, setting) => {
  expect(resembled(name)).toBe(setting)
})

it('Settings and common variables of other programs resemble no setting', () => {
  const others =
    'PATH HOME HOSTNAME SHELL USER LANG TERM NODE_ENV NODE_OPTIONS TZ PWD PGHOST POSTGRES_PASSWORD S3_PASSWORD'
  expect(similarSettings([...others.split(' '), ...SETTING_NAMES], SETTING_NAMES)).toEqual([])
})
