import { beforeAll, describe, expect, it } from 'vitest'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project, Tag } from '#shared/contract/projects.ts'

const server = sharedServer()
let ada: Client
let bob: Client
beforeAll(async () => {
  ada = await signUp(server.url)
  bob = await signUp(server.url)
})

const create = async (client: Client, body: unknown) =>
  (await client.json<{ data: Project }>(api.projects(), { body })).data
const refusal = async (client: Client, method: string, path: string, body?: unknown) => {
  const response = await client.fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    error: ((await response.json()) as { error: { message: string; fields?: Record<string, string> } }).error,
  }
}

describe('projects', () => {
  it('A project is created with its tags, the first one as the default (PROJ-01, PROJ-15, TAG-02, API-14, API-15, SHR-06, SHR-12)', async () => {
    const one = await create(ada, {
      name: ' Sleep and memory ',
      description: 'D',
      research_question: 'Does sleep help?',
      tags: ['Sleep', 'sleep', ' ', 'Memory'],
    })
    expect(one).toMatchObject({
      name: 'Sleep and memory',
      description: 'D',
      research_question: 'Does sleep help?',
      is_default: true,
      document_count: 0,
      feed_count: 0,
      process_automatically: false,
      owner_id: ada.userId,
    })
    expect(one.tags.map((tag) => tag.name)).toEqual(['Memory', 'Sleep'])
    const two = await create(ada, { name: 'Second', tags: ['SLEEP'] })
    expect(two.is_default).toBe(false)
    // A tag belongs to its project. Suggestions name each tag once.
    expect(two.tags[0]!.id).not.toBe(one.tags.find((tag) => tag.name.toLowerCase() === 'sleep')!.id)
    const names = async (path: string) => (await ada.json<{ data: Tag[] }>(path)).data.map(({ name }) => name)
    expect(await names(api.tags())).toEqual(['Memory', 'Sleep'])
    expect(await names(api.tags({ project_id: two.id }))).toEqual(['SLEEP'])
    const { data, count } = await ada.json<{ data: Project[]; count: number }>(api.projects())
    expect(data.map((project) => project.name)).toEqual(['Second', 'Sleep and memory'])
    expect(count).toBe(2)
    expect((await ada.json<{ data: Project[] }>(api.projects({ name: 'second' }))).data).toHaveLength(1)
  })

  it('A project keeps tags whose lower case differs between JavaScript and the database (TAG-02)', async () => {
    const { tags } = await create(await signUp(server.url), { name: 'Odyssey', tags: ['ΣΟΦΟΣ', 'İzmir', 'ÉTÉ', 'été'] })
    expect(tags.map((tag) => tag.name).toSorted()).toEqual(['ÉTÉ', 'İzmir', 'ΣΟΦΟΣ'].toSorted())
  })

  it('Projects and tags are listed by page, order and words, with an exact count (API-04)', async () => {
    const named = async (path: string) => {
      const { data, count } = await ada.json<{ data: { name: string }[]; count: number }>(path)
      return [count, ...data.map(({ name }) => name)]
    }
    expect(await named('/api/projects?page=2&limit=1')).toEqual([2, 'Sleep and memory'])
    expect(await named('/api/projects?page=3&limit=1')).toEqual([2])
    expect(await named('/api/projects?order_by=name.desc')).toEqual([2, 'Sleep and memory', 'Second'])
    expect(await named('/api/projects?order_by=created_at')).toEqual([2, 'Sleep and memory', 'Second'])
    expect(await named('/api/projects?search=does%20SLEEP')).toEqual([1, 'Sleep and memory'])
    expect(await named('/api/tags?order_by=name.desc&limit=1')).toEqual([2, 'Sleep'])
    expect(await named('/api/tags?search=mem')).toEqual([1, 'Memory'])
    for (const wrong of ['page=0', 'limit=0', 'limit=abc', 'order_by=owner_id'])
      expect((await refusal(ada, 'GET', `/api/projects?${wrong}`)).status).toBe(400)
  })

  it.each([
    ['blank', '   ', 'Project name is required'],
    ['invisible', '\u200b\u2060', 'Project name is required'],
    ['missing', undefined, 'Project name is required'],
    ['reserved', 'Projects', 'This name is reserved. Please choose another one.'],
    ['taken, in another case', 'SECOND', 'You already have a project with this name.'],
  ])(
    'A %s name is refused as a field error (PROJ-10, PROJ-12, PROJ-13, ERR-08, ERR-17)',
    async (_what, name, message) => {
      const { status, error } = await refusal(ada, 'POST', api.projects(), { name })
      expect(status).toBe(422)
      expect(error).toMatchObject({ message, fields: { name: message } })
    },
  )

  it('A long tag is refused with the limit', async () => {
    const { status, error } = await refusal(ada, 'POST', api.projects(), { name: 'Tagged', tags: ['x'.repeat(101)] })
    expect([status, error.message]).toEqual([422, 'A tag has at most 100 characters'])
  })

  it('Another project can become the default, and does when the default is deleted (PROJ-16, API-17)', async () => {
    const { data } = await ada.json<{ data: Project[] }>(api.projects())
    const second = data.find((project) => project.name === 'Second')!
    await ada.json(api.project(second.id), { method: 'PATCH', body: { is_default: true } })
    const flags = async () =>
      (await ada.json<{ data: Project[] }>(api.projects())).data
        .filter((project) => project.is_default)
        .map((project) => project.name)
    expect(await flags()).toEqual(['Second'])
    await ada.json(api.project(second.id), { method: 'DELETE' })
    expect(await flags()).toEqual(['Sleep and memory'])
  })

  it('A change affects the given fields only (TAG-08, API-06, API-16)', async () => {
    const made = await create(ada, { name: 'To change', description: 'Old', tags: ['one'] })
    const { data } = await ada.json<{ data: Project }>(api.project(made.id), {
      method: 'PATCH',
      body: { research_question: 'New?', tags: ['two'] },
    })
    expect(data).toMatchObject({ name: 'To change', description: 'Old', research_question: 'New?' })
    expect(data.tags.map((tag) => tag.name)).toEqual(['two'])
    expect(Date.parse(data.updated_at)).toBeGreaterThan(Date.parse(made.updated_at))
  })

  it('A project of another user is answered exactly like a missing one (API-17, ERR-13)', async () => {
    const made = await create(ada, { name: 'Private' })
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const foreign = await refusal(bob, method, api.project(made.id), body)
      const missing = await refusal(bob, method, api.project('00000000-0000-4000-8000-000000000000'), body)
      expect(foreign).toEqual(missing)
      expect(foreign).toMatchObject({ status: 404, error: { message: 'Project not found' } })
    }
    expect((await bob.json<{ data: Project[] }>(api.projects())).data).toEqual([])
    expect((await refusal(bob, 'GET', api.project('no-uuid'))).status).toBe(404)
  })

  it('A request without a session, malformed JSON and a large body are refused (ERR-10, ERR-11, ERR-15)', async () => {
    expect((await fetch(server.url + api.projects())).status).toBe(401)
    const send = (body: string) =>
      ada.fetch(api.projects(), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect((await send('{"name":')).status).toBe(400)
    expect((await send(JSON.stringify({ name: 'x', description: 'y'.repeat(3_000_000) }))).status).toBe(413)
  })
})
