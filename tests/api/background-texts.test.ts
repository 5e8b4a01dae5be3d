import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '#tests/helpers/test-database.ts'

/** This file calls the queries of background tasks on texts in this process. */

const TEXT = `[Page 1]\n${'Naps help nurses. Ça va. '.repeat(2000)}`

describe('documents whose texts background tasks read', () => {
  let folder: string
  let db: typeof import('#server/db/client.ts')
  let index: typeof import('#server/retrieval/index-queries.ts')
  let evidence: typeof import('#server/evidence/queries.ts')
  let close: () => Promise<void>
  const id = randomUUID()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-background-'))
    process.env['DATA_DIR'] = folder
    const created = process.env['TEST_DATABASE_URL'] ? await createDatabase() : null
    if (created) process.env['DATABASE_URL'] = created.url
    else delete process.env['DATABASE_URL']
    db = await import('#server/db/client.ts')
    const opened = await db.openDatabase()
    await (await import('#server/db/migrate.ts')).migrateDatabase()
    index = await import('#server/retrieval/index-queries.ts')
    evidence = await import('#server/evidence/queries.ts')
    close = async () => {
      await opened.close()
      await created?.drop()
    }
    await db.asSystem(async (tx) => {
      await tx.execute(sql`insert into "user" (id, name, email) values ('eve', 'Eve', 'eve@example.org')`)
      await tx.execute(
        sql`insert into documents (id, created_by, filename, extracted_text) values (${id}, 'eve', 'naps.pdf', ${TEXT})`,
      )
      await tx.execute(sql`insert into evidence (document_id, subject_kind, subject_id, visibility, text_version, quote, prefix,
          suffix, match, score, is_stale)
        values (${id}, 'message', gen_random_uuid(), 'me', 0, 'Naps', '', '', 'exact', 1, true)`)
    })
  })
  afterAll(async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  })

  const change = (text: string) =>
    db.asSystem((tx) =>
      tx.execute(sql`update documents set extracted_text = ${text}, text_version = text_version + 1 where id = ${id}`),
    )

  it('A document to index has the size of its text and its owner, so that its task waits for its turn', async () => {
    const found = await db.asSystem((tx) => index.findStaleDocument(tx, []))
    expect(found).toMatchObject({ id, owner_id: 'eve', bytes: Buffer.byteLength(TEXT) })
  })

  it('A document with stale evidence has the size of its text and its owner, so that its task waits for its turn', async () => {
    const found = await db.asSystem((tx) => evidence.findStaleDocument(tx, []))
    expect(found).toMatchObject({ id, owner_id: 'eve', text_bytes: Buffer.byteLength(TEXT) })
  })

  it('A document that could not be indexed is skipped until its text changes', async () => {
    const next = (version: string) => db.asSystem((tx) => index.findStaleDocument(tx, [{ id, version }]))
    const { change: version } = (await next('0'))!
    expect(await next(version)).toBeUndefined()
    await change(`${TEXT} More.`)
    expect(await next(version)).toMatchObject({ id })
  })

  it('A document whose evidence could not be searched is skipped until its text changes', async () => {
    const next = (version: string) => db.asSystem((tx) => evidence.findStaleDocument(tx, [{ id, version }]))
    const version = String((await next('-1'))!.text_version)
    expect(await next(version)).toBeUndefined()
    await change(`${TEXT} More and more.`)
    expect(await next(version)).toMatchObject({ id })
  })
})
