import { expect, it } from 'vitest'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import type { JoinResult } from '#shared/contract/duplicates.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { listenToEvents, resumeEvents } from '#tests/helpers/event-listener.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { connectMcp, newKey } from '#tests/helpers/mcp-client.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { callOf, readProjectRoutes } from '#tests/helpers/project-routes.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'
import { insertObjects } from '#tests/helpers/walk-objects.ts'
import { insertAnswer } from '#tests/helpers/walk-work.ts'

/**
 * This file tests a member of a project who has created every kind of object in it and is then removed by an owner. The removed
 * member knows the ids of all these objects and tries each route with them.
 */

const server = sharedServer()
/** The ways to authenticate. A long run tries all ways for each route; otherwise each route is tried in one way. */
const WAYS = ['cookie', 'token', 'key'] as const

interface Known {
  project: string
  document: string
  /** Ids of objects by the part of their address before the id, such as '/api/runs'. */
  objects: Record<string, string>
}

it('No route lets a removed member read or change objects of the project, including those that the member made (SHR-03, SHR-31)', async () => {
  const [ada, ben] = [await signUp(server.url), await signUp(server.url)]
  const known = await workInProject(ada, ben)
  const key = await newKey(ben)
  const { client, call } = await connectMcp(server.url, key)
  const ids = [known.project, known.document, ...Object.values(known.objects)]
  const stream = await listenToEvents(ben)
  const lastId = stream.lastId()
  stream.close()
  await ada.json(api.document(known.document), { method: 'PATCH', body: { title: 'Before the removal' } })
  await ada.json(api.projectMember(known.project, ben.userId), { method: 'DELETE' })

  const cookie = { cookie: `lectern.session_token=${encodeURIComponent(ben.token)}` }
  const ways = { cookie, token: { authorization: `Bearer ${ben.token}` }, key: { authorization: `Bearer ${key}` } }
  const routes = (await readProjectRoutes(ada, 'all')).filter(({ path }) => !/profile|factors|session|keys/.test(path))
  expect(routes.length).toBeGreaterThan(100)
  const wrong: string[] = []
  // The first visit of a day is stored with the member.
  await ada.json(api.project(known.project))
  const before = await everything(ada, known)
  for (const [at, route] of routes.entries())
    for (const way of IS_LONG_RUN ? WAYS : [WAYS[at % WAYS.length]!]) {
      const { path, init } = callOf(route, { ...known, user: ada.userId }, known.objects)
      const headers = { ...(init.headers as Record<string, string> | undefined), ...ways[way] }
      const response = await fetch(server.url + path, { ...init, headers })
      const text = await response.text()
      // 403: no key may call the route. 501: the service of the call is not set up here.
      const allowed = way === 'key' ? [403, 404, 501] : [404, 501]
      if (!allowed.includes(response.status)) wrong.push(`${way} ${route.method} ${path}: ${response.status} ${text}`)
    }
  expect(wrong).toEqual([])
  expect(await everything(ada, known)).toEqual(before)

  // Lists, the archive of the account and the tools of an assistant.
  const lists = [api.projects(), api.documents(), api.jobs(), api.tags(), api.subscriptions(), api.trash(), api.keys()]
  for (const path of lists) {
    const text = await (await ben.fetch(path)).text()
    expect([path, ids.filter((id) => text.includes(id))]).toEqual([path, []])
  }
  for (const [tool, given] of [
    ['list_projects', {}],
    ['search_papers', { query: 'naps' }],
  ] as const) {
    const { data } = await call(tool, given)
    expect([tool, ids.filter((id) => JSON.stringify(data).includes(id))]).toEqual([tool, []])
  }
  const paper = { document_id: known.document }
  for (const [tool, given] of [
    ['get_paper', paper],
    ['get_paper_text', paper],
    ['job_status', { job_id: known.objects['/api/jobs'] }],
    ['ask_project', { project_id: known.project, question: 'Do naps help?' }],
  ] as const)
    expect([tool, (await call(tool, given)).isError]).toEqual([tool, true])
  await client.close()

  // A stream that resumes before the removal has no earlier event of the project.
  const resumed = await resumeEvents(ben, lastId)
  const { data: own } = await ben.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Own' } })
  await expect
    .poll(() => resumed.received.map(({ data }) => JSON.stringify(data)), { timeout: 60_000 })
    .toContainEqual(expect.stringContaining(own.id))
  resumed.close()
  const ofProject = resumed.received.filter(({ data }) => JSON.stringify(data).includes(known.project))
  expect(ofProject.map(({ event, data }) => ({ event, data }))).toEqual([
    { event: 'project', data: { id: known.project, change: 'deleted' } },
  ])
})

/** Creates a project of `ada`, in which the editor `ben` creates an object of every kind. Returns their ids. */
async function workInProject(ada: Client, ben: Client): Promise<Known> {
  const make = async (path: string, body: object) => (await ben.json<{ data: { id: string } }>(path, { body })).data.id
  const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: `P ${ben.userId}` } })).data
    .id
  const member = 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)'
  await inDatabase(server, member, [project, ben.userId, 'editor'])
  const upload = async () =>
    (await ben.upload(project, new File([onePagePdf(['Naps.'])], 'naps.pdf', { type: 'application/pdf' }))).id
  const document = await upload()
  const text = { extracted_text: '[Page 1]\nNaps helped older adults fall asleep.' }
  await ben.json(api.documentText(document), { method: 'PUT', body: text })
  const job = await make(api.documentVectorize(document), {})
  await ben.job(job)
  const deleted = await upload()
  await ben.json(api.document(deleted), { method: 'DELETE' })
  const conversation = await make(api.conversations(project), { visibility: 'project' })
  const author = { id: conversation, project, author: ben.userId, isShared: true, document }
  const answer = await insertAnswer(server, author)
  const fixed = await insertObjects(server, project, ben.userId)
  const newPaper = async (title: string) =>
    (await ben.json<{ data: AddedPaper }>(api.papers(), { body: { project_id: project, title } })).data.document.id
  const joining = { keep_id: await newPaper('One'), join_ids: [await newPaper('Two')], fields: {} }
  const { joined } = (await ben.json<{ data: JoinResult }>(api.duplicatesJoin(), { body: joining })).data
  return {
    project,
    document,
    objects: {
      '/api/conversations': conversation,
      '/api/messages': answer.message,
      '/api/evidence': answer.evidence,
      '/api/runs': answer.run,
      '/api/saved-searches': await make(api.savedSearches(project), { name: 'Naps', query: { q: 'naps' } }),
      '/api/imports': fixed.import,
      '/api/import-records': fixed.record,
      '/api/zotero/imports': fixed.library,
      '/api/recommendations': fixed.recommendation,
      '/api/joined-papers': joined[0]!.id,
      '/api/jobs': job,
      '/api/trash/documents': deleted,
      '/api/trash/projects': project,
    },
  }
}

/** Returns the data of a project and its objects, read as its owner. */
async function everything(ada: Client, { project, document, objects }: Known): Promise<unknown[]> {
  const paths = [
    api.project(project),
    api.document(document),
    api.documents({ project_id: project }),
    api.conversation(objects['/api/conversations']!),
    api.imports({ project_id: project }),
    api.zoteroImports({ project_id: project }),
    api.recommendations({ project_id: project }),
    api.projectMembers(project),
    api.trash(),
  ]
  return Promise.all(paths.map((path) => ada.json(path)))
}
