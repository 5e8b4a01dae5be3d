import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { inDatabase } from '#tests/helpers/database.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'
import { api } from '#shared/contract/paths.ts'
import { pictureAt, pictureSet, PROJECT_IMAGE_WIDTHS } from '#shared/contract/pictures.ts'
import type { Project } from '#shared/contract/projects.ts'

const server = sharedServer()
let ada: Client
let bob: Client
let photo: Buffer
beforeAll(async () => {
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  photo = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#2a6f4e' } })
    .withExif({ IFD0: { Make: 'SecretCamera' } })
    .jpeg()
    .toBuffer()
})

const create = async (name: string) => (await ada.json<{ data: Project }>(api.projects(), { body: { name } })).data
const send = (
  client: Client,
  id: string,
  bytes: Uint8Array,
  { name = 'photo.jpg', type = 'image/jpeg', version }: { name?: string; type?: string; version?: number } = {},
) => {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], name, { type }))
  return client.fetch(api.projectHeroImage(id, version), { method: 'POST', body: form })
}
const sent = async (id: string, bytes: Uint8Array = photo) => {
  const response = await send(ada, id, bytes)
  expect(response.status).toBe(200)
  return ((await response.json()) as { data: Project & { hero_image: string } }).data
}
const refused = async (response: Response) => ({
  status: response.status,
  message: ((await response.json()) as { error: { message: string } }).error.message,
})
const storedFiles = () => readdir(join(server.dataDir, 'files', 'project_hero')).catch(() => [] as string[])
const filesOf = async (id: string) => (await storedFiles()).filter((name) => name.startsWith(id))

describe('the picture of a project', () => {
  it('A project picture is stored in several sizes, encoded again, without the metadata of the camera (STOR-06, STOR-07)', async () => {
    const project = await create('Pictured')
    const { hero_image } = await sent(project.id)
    const [, id, time] = /^\/files\/project_hero\/([\da-f-]{36})-(\d{13})-[\da-f]{32}\.webp$/.exec(hero_image)!
    expect(id).toBe(project.id)
    expect(Math.abs(Date.now() - Number(time))).toBeLessThan(60_000)
    for (const [at, width] of PROJECT_IMAGE_WIDTHS.entries()) {
      const address = at === PROJECT_IMAGE_WIDTHS.length - 1 ? hero_image : pictureAt(hero_image, width)
      const bytes = Buffer.from(await (await fetch(server.url + address)).arrayBuffer())
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height: width / 2 })
      expect(bytes.includes('SecretCamera')).toBe(false)
    }
    expect(pictureSet(hero_image, PROJECT_IMAGE_WIDTHS)).toContain('480w')
  })

  it('A project picture is readable with its address, under a policy that allows nothing (STOR-11)', async () => {
    const { hero_image } = await sent((await create('Public')).id)
    const response = await fetch(server.url + hero_image)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    for (const other of [
      hero_image.replace(/.(?=\.webp$)/, (last) => (last === '0' ? '1' : '0')),
      '/files/project_hero/..%2f..%2fdatabase.webp',
      '/files/documents/x.webp',
      '/files/project_hero/',
    ]) {
      const missing = await fetch(server.url + other)
      expect(missing.headers.get('content-type')).not.toBe('image/webp')
    }
  })

  it('A project picture is deleted on replacement, on removal and with its project (STOR-08)', async () => {
    const project = await create('Replaced')
    const first = await sent(project.id)
    const second = await sent(project.id)
    expect(second.hero_image).not.toBe(first.hero_image)
    expect((await fetch(server.url + first.hero_image)).status).toBe(404)
    expect((await fetch(server.url + pictureAt(first.hero_image, 480))).status).toBe(404)
    expect(await filesOf(project.id)).toHaveLength(PROJECT_IMAGE_WIDTHS.length)
    const { data } = await ada.json<{ data: Project }>(api.projectHeroImage(project.id), { method: 'DELETE' })
    expect(data.hero_image).toBeNull()
    expect(await filesOf(project.id)).toEqual([])
    await sent(project.id)
    await ada.json(api.project(project.id), { method: 'PATCH', body: { hero_image: null } })
    expect(await filesOf(project.id)).toEqual([])
    await sent(project.id)
    await ada.json(api.project(project.id), { method: 'DELETE' })
    await ada.json(api.trashProject(project.id), { method: 'DELETE' })
    await expect.poll(() => filesOf(project.id)).toEqual([])
  })

  it('A project picture replaces, and its removal removes, only the picture that the sender saw (SHR-30)', async () => {
    const { id, version } = await create('Seen')
    await ada.json(api.project(id), { method: 'PATCH', body: { description: 'Another field' } })
    const first = await send(ada, id, photo, { version })
    const { data } = (await first.json()) as { data: Project }
    const stale = [
      await send(ada, id, photo, { version }),
      await ada.fetch(api.projectHeroImage(id, version), { method: 'DELETE' }),
    ]
    for (const response of stale) {
      const { error } = (await response.json()) as { error: { code: string; fields: object; current: Project } }
      expect([response.status, error.code, Object.keys(error.fields)]).toEqual([409, 'changed', ['hero_image']])
      expect(error.current).toMatchObject({ hero_image: data.hero_image, version: data.version })
    }
    expect(await filesOf(id)).toHaveLength(PROJECT_IMAGE_WIDTHS.length)
    expect((await send(ada, id, photo, { version: data.version })).status).toBe(200)
    expect((await ada.fetch(`${api.projectHeroImage(id)}?version=x`, { method: 'POST' })).status).toBe(400)
  })

  it('A project picture stays when other fields are edited, also when its own address is sent back (PROJ-20)', async () => {
    const project = await create('Kept')
    const { hero_image } = await sent(project.id)
    const body = { name: 'Still kept', hero_image }
    const { data } = await ada.json<{ data: Project }>(api.project(project.id), { method: 'PATCH', body })
    expect(data).toMatchObject(body)
    expect((await fetch(server.url + hero_image)).status).toBe(200)
  })

  it('A project picture cannot be used by another project, whose removal would delete it', async () => {
    const { hero_image } = await sent((await create('Owner of the picture')).id)
    const other = await create('Thief')
    for (const [method, path] of [
      ['PATCH', api.project(other.id)],
      ['POST', api.projects()],
    ] as const) {
      const response = await ada.fetch(path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Taken', hero_image }),
      })
      expect(response.status).toBe(422)
    }
    await ada.json(api.project(other.id), { method: 'DELETE' })
    expect((await fetch(server.url + hero_image)).status).toBe(200)
  })

  it('A project picture is refused if one of its files took too long to be stored', async () => {
    const { id } = await create('Slow')
    // The time of deletion of one file has come.
    await inDatabase(
      server,
      `create function keep_due() returns trigger language plpgsql as $$ begin
        return case when old.key like '%${id}%.w480.webp' then null else old end; end $$`,
    )
    await inDatabase(
      server,
      'create trigger keep_due before delete on removed_files for each row execute function keep_due()',
    )
    try {
      expect(await refused(await send(ada, id, photo))).toEqual({
        status: 409,
        message: 'The file took too long to be stored. Please try again.',
      })
    } finally {
      await inDatabase(server, 'drop function keep_due cascade')
    }
    expect((await ada.json<{ data: Project }>(api.project(id))).data.hero_image).toBeNull()
  })

  it('A project picture above 5 MB is refused (PROJ-17, CONST-08)', async () => {
    const { id } = await create('Large')
    const large = Buffer.concat([photo, Buffer.alloc(5 * 1024 * 1024)])
    for (const bytes of [large, Buffer.alloc(9_000_000)])
      expect(await refused(await send(ada, id, bytes))).toEqual({
        status: 413,
        message: 'Please select an image under 5MB',
      })
    const fits = Buffer.concat([photo, Buffer.alloc(5 * 1024 * 1024 - photo.length)])
    expect((await send(ada, id, fits)).status).toBe(200)
  })

  it.each([
    ['text', () => Buffer.from('no picture at all')],
    ['nothing', () => Buffer.alloc(0)],
    [
      'SVG, which can hold scripts',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['a PNG that breaks off', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ])('A project picture is refused when the file is %s, for any declared type (PROJ-18)', async (_what, bytes) => {
    const { id } = await create(`Wrong ${_what.slice(0, 9)}`)
    expect(await refused(await send(ada, id, bytes(), { name: 'x.png', type: 'image/png' }))).toEqual({
      status: 415,
      message: 'Please select an image file',
    })
    expect(await filesOf(id)).toEqual([])
  })

  it('A project picture is refused when it is animated, and when a small file declares a vast picture', async () => {
    const { id } = await create('Hostile')
    const frames = Buffer.concat([Buffer.alloc(4 * 4 * 3, 10), Buffer.alloc(4 * 4 * 3, 200)])
    const moving = await sharp(frames, { raw: { width: 4, height: 8, channels: 3, pageHeight: 4 } })
      .gif({ delay: [100, 100] })
      .toBuffer()
    expect(await refused(await send(ada, id, moving, { name: 'x.gif', type: 'image/gif' }))).toMatchObject({
      status: 415,
    })
    const vast = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(vast.length).toBeLessThan(5 * 1024 * 1024)
    const answer = await refused(await send(ada, id, vast, { name: 'x.png', type: 'image/png' }))
    expect(answer).toMatchObject({ status: 413, message: expect.stringContaining('pixels') as string })
  })

  it('A project picture is accepted from the owner only, and as a form', async () => {
    const { id } = await create('Private picture')
    expect(await refused(await send(bob, id, photo))).toEqual({ status: 404, message: 'Project not found' })
    expect((await bob.fetch(api.projectHeroImage(id), { method: 'DELETE' })).status).toBe(404)
    expect((await fetch(server.url + api.projectHeroImage(id), { method: 'POST' })).status).toBe(401)
    const bare = await ada.fetch(api.projectHeroImage(id), { method: 'POST', body: 'x' })
    expect(bare.status).toBe(415)
    const broken = await ada.fetch(api.projectHeroImage(id), {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nno end',
    })
    expect(broken.status).toBe(400)
    expect((await ada.fetch(api.projectHeroImage('no-uuid'), { method: 'POST' })).status).toBe(404)
  })
})
