import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { knownMigrations } from '#server/db/migrate.ts'
import { checkBackup } from './check-backup.ts'
import type { Manifest } from './manifest.ts'

/**
 * The temporary folders of the tests. Each test gets a valid backup (one table, one file, a secret), and a file `outside`
 * beside it.
 */
const folders: string[] = []
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const line = (key: string) => `${JSON.stringify({ key, size: 6, sha256: sha256('secret') })}\n`

let root: string
let backup: string
let manifest: Manifest
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lectern-backup-'))
  folders.push(root)
  backup = join(root, 'backup')
  for (const folder of ['tables', 'files/documents']) await mkdir(join(backup, folder), { recursive: true })
  await writeFile(join(root, 'outside'), 'secret')
  await writeFile(join(backup, 'tables/tags.ndjson.gz'), 'rows')
  await writeFile(join(backup, 'files/documents/a.pdf'), 'secret')
  await writeFile(join(backup, 'auth-secret'), 'secret')
  manifest = {
    format: 1,
    created_at: '2026-01-01T00:00:00Z',
    version: '1.0.0',
    migrations: knownMigrations(),
    tables: [{ name: 'tags', columns: ['id'], rows: 1, sha256: sha256('rows') }],
    sequences: [],
    files: { count: 1, bytes: 6, sha256: '' },
    secret: true,
  }
  await list(line('documents/a.pdf'))
})
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function list(text: string) {
  await writeFile(join(backup, 'files.ndjson'), text)
  manifest.files.sha256 = sha256(text)
}

async function words(): Promise<string> {
  await writeFile(join(backup, 'manifest.json'), JSON.stringify(manifest))
  return checkBackup(backup).then(
    () => 'whole',
    (error: Error) => error.message,
  )
}

it('checkBackup accepts a complete backup and refuses one with a changed or missing part', async () => {
  expect(await words()).toBe('whole')
  await writeFile(join(backup, 'files/documents/a.pdf'), 'Secret')
  expect(await words()).toBe('files/documents/a.pdf of the backup is damaged.')
  await rm(join(backup, 'files/documents/a.pdf'))
  expect(await words()).toBe('The backup has no files/documents/a.pdf.')
  await writeFile(join(backup, 'manifest.json'), '{"format":')
  await expect(checkBackup(backup)).rejects.toThrow('manifest.json of the backup is not valid.')
  await rm(join(backup, 'manifest.json'))
  await expect(checkBackup(backup)).rejects.toThrow('is not a backup')
})

it('checkBackup refuses a backup of an unknown schema version', async () => {
  manifest.migrations.push('9999_next')
  expect(await words()).toContain('made by another version (1.0.0, 9999_next)')
})

it.each([
  ['a table name with a path', () => (manifest.tables[0]!.name = '../outside')],
  ['a column name with SQL', () => (manifest.tables[0]!.columns = ['id") values (1); --'])],
  ['a sequence value with SQL', () => manifest.sequences.push({ name: 'x', value: '1); drop' })],
])('checkBackup refuses %s in the manifest', async (_what, change) => {
  change()
  expect(await words()).toBe('manifest.json of the backup is not valid.')
})

it.each(['documents/et_al..pdf', 'documents/a..b/...pdf'])('checkBackup accepts a file named %j', async (key) => {
  await mkdir(dirname(join(backup, 'files', key)), { recursive: true })
  await writeFile(join(backup, 'files', key), 'secret')
  await list(line(key))
  expect(await words()).toBe('whole')
})

it.each(['../outside', 'documents/..', '/etc/passwd', 'documents/../../outside', '', 'a\0b', '-/../x'])(
  'checkBackup refuses a file named %j',
  async (key) => {
    await list(line(key))
    expect(await words()).toBe('files.ndjson of the backup is not valid.')
  },
)

it.each([
  ['files/link.pdf', 'outside', 'link.pdf'],
  ['files/folder', '.', 'folder/outside'],
  ['files/folder', 'backup/files/documents', 'folder/a.pdf'],
])('checkBackup refuses the link %s even when the checksum of its target is right', async (link, target, key) => {
  await symlink(join(root, target), join(backup, link))
  await list(line(key))
  expect(await words()).toBe(`files/${key} of the backup is a link or not a file.`)
})

it.each([
  ['tables/tags.ndjson.gz', 'rows'],
  ['auth-secret', 'secret'],
])('checkBackup refuses a link in place of %s', async (name, content) => {
  await writeFile(join(root, 'elsewhere'), content)
  await rm(join(backup, name))
  await symlink(join(root, 'elsewhere'), join(backup, name))
  expect(await words()).toBe(`${name} of the backup is a link or not a file.`)
})
