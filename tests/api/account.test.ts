import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { AVATAR_NOT_AN_IMAGE, AVATAR_TOO_LARGE, type Profile } from '#shared/contract/profiles.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { importForm } from '#tests/helpers/reference-file.ts'
import { signIn, signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let ada: Client
let bob: Client
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  bob = await signUp(server.url)
})
afterAll(() => server.stop())

const pdf = (words: string) => new File([onePagePdf([words])], 'paper.pdf', { type: 'application/pdf' })
const project = async (client: Client, name: string) =>
  (await client.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
const remove = (client: Client, body: object) =>
  client.fetch(api.account(), {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const exported = async (client: Client) => {
  const response = await client.fetch(api.accountExport())
  expect(response.headers.get('content-type')).toBe('application/zip')
  return unzipSync(new Uint8Array(await response.arrayBuffer()))
}
const read = (files: Record<string, Uint8Array>, name: string): unknown =>
  JSON.parse(new TextDecoder().decode(files[name]))
const putAvatar = (client: Client, bytes: Uint8Array<ArrayBuffer>, id = client.userId) => {
  const form = new FormData()
  form.append('file', new File([bytes], 'me.png'))
  return client.fetch(api.profileAvatar(id), { method: 'POST', body: form })
}
const picture = async () =>
  new Uint8Array(
    await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  )

describe('the avatar', () => {
  it('The avatar is stored square at profiles/{uuid}.{ext}, cached for 3600 s, and replaced completely (STOR-09, STOR-11, CONST-11)', async () => {
    const first = (await (await putAvatar(ada, await picture())).json()) as { data: Profile }
    expect(first.data.avatar_url).toMatch(/^\/files\/avatars\/profiles\/[\da-f-]{36}\.webp$/)
    const shown = await fetch(server.url + first.data.avatar_url!)
    expect(shown.headers.get('cache-control')).toContain('max-age=3600')
    const { width, height } = await sharp(await shown.arrayBuffer()).metadata()
    expect(width).toBe(height)
    const second = (await (await putAvatar(ada, await picture())).json()) as { data: Profile }
    expect(second.data.avatar_url).not.toBe(first.data.avatar_url)
    expect((await fetch(server.url + first.data.avatar_url!)).status).toBe(404)
    const withoutPicture = await ada.json<{ data: Profile }>(api.profileAvatar(ada.userId), { method: 'DELETE' })
    expect(withoutPicture.data.avatar_url).toBeNull()
    expect((await fetch(server.url + second.data.avatar_url!)).status).toBe(404)
  })

  it('A profile accepts only the address of its own avatar, and null removes it', async () => {
    const of = async (client: Client) =>
      ((await (await putAvatar(client, await picture())).json()) as { data: Profile }).data.avatar_url!
    const [mine, his] = [await of(ada), await of(bob)]
    const patch = (body: object) =>
      ada.fetch(api.profile(ada.userId), {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    for (const avatar_url of [his, '/files/avatars/profiles/none.webp', 'https://example.org/me.png'])
      expect((await patch({ avatar_url, full_name: 'Thief' })).status).toBe(422)
    const same = (await (await patch({ avatar_url: mine, full_name: 'Ada' })).json()) as { data: Profile }
    expect(same.data).toMatchObject({ avatar_url: mine, full_name: 'Ada' })
    const withoutPicture = (await (await patch({ avatar_url: null })).json()) as { data: Profile }
    expect(withoutPicture.data.avatar_url).toBeNull()
    expect((await fetch(server.url + mine)).status).toBe(404)
    expect((await fetch(server.url + his)).status).toBe(200)
  })

  it('The avatar is refused when it is no image or larger than 2 MB (PROF-05, PROF-06, CONST-09)', async () => {
    const text = await putAvatar(ada, new TextEncoder().encode('not a picture'))
    expect(text.status).toBe(415)
    expect(await text.text()).toContain(AVATAR_NOT_AN_IMAGE)
    const large = await putAvatar(ada, new Uint8Array(2 * 1024 * 1024 + 1))
    expect(large.status).toBe(413)
    expect(await large.text()).toContain(AVATAR_TOO_LARGE)
    expect((await putAvatar(bob, await picture(), ada.userId)).status).toBe(404)
  })
})

describe('the export of all own data', () => {
  it('The export contains the rows and PDFs of the caller only, each name once, and lists a missing PDF', async () => {
    const own = await project(ada, 'Sleep / memory')
    await project(bob, 'Secret of Bob')
    const first = await ada.upload(own, pdf('First'))
    const lost = await ada.upload(own, pdf('Second'))
    for (let n = 0; n < 22; n++) await ada.upload(own, pdf(`Paper ${n}`))
    await rm(join(server.dataDir, 'files', 'documents', ada.userId, lost.id), { recursive: true })
    const files = await exported(ada)
    const documents = read(files, 'documents.json') as { id: string; owner_id: string }[]
    expect(new Set(documents.map(({ id }) => id)).size).toBe(24)
    expect(documents.every(({ owner_id }) => owner_id === ada.userId)).toBe(true)
    const manifest = read(files, 'manifest.json') as {
      files: { document_id: string; path: string }[]
      missing: { document_id: string }[]
    }
    expect(manifest.missing.map(({ document_id }) => document_id)).toEqual([lost.id])
    expect(manifest.files).toHaveLength(23)
    const { path } = manifest.files.find(({ document_id }) => document_id === first.id)!
    expect(path).toMatch(/^documents\/Sleep _ memory\/paper( \(\d+\))?\.pdf$/)
    expect(new TextDecoder().decode(files[path]!.slice(0, 5))).toBe('%PDF-')
    expect((read(files, 'profile.json') as { email: string }[]).map(({ email }) => email)).toEqual([ada.email])
    const everything = Object.values(files).map((file) => new TextDecoder().decode(file))
    expect(everything.some((text) => text.includes('Secret of Bob') || text.includes(bob.email))).toBe(false)
    expect(everything.some((text) => text.includes(ada.token))).toBe(false)
  })

  it('The export contains the papers that are deleted with the account, and names the projects of other owners', async () => {
    const [carl, dora, emil] = await Promise.all([1, 2, 3].map(() => signUp(server.url)))
    const [own, joint, others] = [
      await project(carl!, 'Own'),
      await project(carl!, 'Joint'),
      await project(emil!, 'Of Emil'),
    ]
    const member = 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)'
    for (const row of [
      [own, dora!.userId, 'editor'],
      [joint, dora!.userId, 'editor'],
      [others, carl!.userId, 'editor'],
    ])
      await inDatabase(server, member, row)
    const left = await dora!.upload(own, pdf('Left behind'))
    await dora!.upload(joint, pdf('Of a member'))
    const elsewhere = await carl!.upload(others, pdf('Elsewhere'))
    await inDatabase(server, 'delete from project_members where project_id = $1 and user_id = $2', [own, dora!.userId])
    const files = await exported(carl!)
    const documents = read(files, 'documents.json') as { id: string }[]
    expect(documents.map(({ id }) => id).toSorted()).toEqual([left.id, elsewhere.id].toSorted())
    const manifest = read(files, 'manifest.json') as { files: { document_id: string; path: string }[] }
    expect(new Map(manifest.files.map(({ document_id, path }) => [document_id, path]))).toEqual(
      new Map([
        [left.id, 'documents/Own/paper.pdf'],
        [elsewhere.id, 'documents/Of Emil/paper.pdf'],
      ]),
    )
  })

  it('The export contains the files of imports', async () => {
    const gail = await signUp(server.url)
    const form = importForm({ 'naps.bib': '@book{a, title = {Naps}}' }, { project_id: await project(gail, 'Naps') })
    expect((await gail.fetch(api.imports(), { method: 'POST', body: form })).ok).toBe(true)
    const files = await exported(gail)
    const [one] = read(files, 'imports.json') as { id: string }[]
    expect((read(files, 'manifest.json') as { files: object[] }).files).toMatchObject([
      { import_id: one!.id, path: 'imports/naps.bib', filename: 'naps.bib' },
    ])
    expect(new TextDecoder().decode(files['imports/naps.bib'])).toContain('title = {Naps}')
  })

  it('The export opens no file of a project that the user has left meanwhile', async () => {
    const [hal, ida] = [await signUp(server.url), await signUp(server.url)]
    const others = await project(ida, 'Of Ida')
    const member = [others, hal.userId]
    await inDatabase(
      server,
      `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`,
      member,
    )
    // Larger than the buffers of the connection, so that the server waits for the client in the first file.
    const bytes = Buffer.concat([onePagePdf(['Naps.']), Buffer.alloc(16_000_000, 0x20)])
    const ids = []
    for (const name of ['one.pdf', 'two.pdf'])
      ids.push((await hal.upload(others, new File([bytes], name, { type: 'application/pdf' }))).id)
    const answer = await hal.fetch(api.accountExport())
    expect(answer.status).toBe(200)
    const reader = answer.body!.getReader()
    const parts: Uint8Array[] = []
    const readMore = async () => {
      const { done, value } = await reader.read()
      if (value) parts.push(value)
      return !done
    }
    while (Buffer.concat(parts).length < 1_000_000) if (!(await readMore())) throw new Error('The export ended early.')
    await inDatabase(server, 'delete from project_members where project_id = $1 and user_id = $2', member)
    while (await readMore());
    const manifest = read(unzipSync(Buffer.concat(parts)), 'manifest.json') as Record<
      'files' | 'missing',
      { document_id: string; reason?: string }[]
    >
    const [first, second] = ids.toSorted()
    expect(manifest.files.map(({ document_id }) => document_id)).toEqual([first])
    expect(manifest.missing).toMatchObject([
      { document_id: second, reason: 'deleted, or no longer readable for the account' },
    ])
  })
})

describe('the deletion of the account', () => {
  it('The deletion of an account is refused to the last admin while other users exist, and with a wrong password', async () => {
    expect((await remove(bob, { password: 'wrong password' })).status).toBe(422)
    expect((await remove(bob, {})).status).toBe(422)
    const admin = await remove(ada, { password: ada.password })
    expect(admin.status).toBe(409)
    expect(await admin.text()).toContain('You are the only admin.')
  })

  it('The deletion of an account removes its rows, files and sessions, and no data of other users', async () => {
    const eve = await signUp(server.url)
    const other = await signIn(server.url, eve)
    const kept = await bob.upload(await project(bob, 'Kept'), pdf('Kept'))
    const hers = await project(eve, 'Hers')
    const document = await eve.upload(hers, pdf('Hers'))
    // More documents than the deletion of an account removes in one transaction.
    const more = `insert into documents (project_id, created_by, filename) select $1, $2, 'x.pdf' from generate_series(1, 450)`
    await inDatabase(server, more, [hers, eve.userId])
    const { data } = (await (await putAvatar(eve, await picture())).json()) as { data: Profile }
    const folder = join(server.dataDir, 'files', 'documents', eve.userId, document.id)
    expect(await readdir(folder)).toHaveLength(1)
    expect(await eve.json(api.account())).toEqual({
      data: { projects: 1, documents: 451, owned_projects: [], has_password: true },
    })
    expect((await remove(eve, { password: eve.password })).status).toBe(200)
    expect(await inDatabase(server, 'select id from documents where project_id = $1', [hers])).toEqual([])
    expect((await eve.fetch(api.projects())).status).toBe(401)
    expect((await other.fetch(api.projects())).status).toBe(401)
    await expect(signIn(server.url, eve)).rejects.toThrow('401')
    await expect.poll(() => readdir(folder), { timeout: 60_000 }).toEqual([])
    expect((await fetch(server.url + data.avatar_url!)).status).toBe(404)
    expect((await bob.fetch(api.documentFile(kept.id))).status).toBe(200)
  })
})
