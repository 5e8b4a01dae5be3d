import { beforeAll, describe, expect, it } from 'vitest'
import type { AccountSummary } from '#shared/contract/accounts.ts'
import type { Member } from '#shared/contract/members.ts'
import type { Notice } from '#shared/contract/notices.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Conversation } from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import { RIGHTS_OF } from '#shared/contract/roles.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let ada: Client
let ben: Client
let eve: Client
beforeAll(async () => {
  ada = await signUp(server.url)
  ben = await signUp(server.url)
  eve = await signUp(server.url)
})

async function sharedProject(role: string, name = `Shared ${crypto.randomUUID()}`): Promise<string> {
  const { id } = (await ada.json<{ data: Project }>(api.projects(), { body: { name } })).data
  await join(id, ben, role)
  return id
}
const join = (id: string, who: Client, role: string) =>
  inDatabase(server, 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)', [
    id,
    who.userId,
    role,
  ])
const upload = (who: Client, project: string) =>
  who.upload(project, new File([onePagePdf(['Naps help.'])], 'paper.pdf', { type: 'application/pdf' }))
const newProject = async (who: Client, name: string) =>
  (await who.json<{ data: Project }>(api.projects(), { body: { name } })).data.id
const members = async (who: Client, id: string) => (await who.json<{ data: Member[] }>(api.projectMembers(id))).data
const projectOf = async (who: Client, id: string) => (await who.json<{ data: Project }>(api.project(id))).data
async function answer(who: Client, method: string, path: string, body?: object) {
  const response = await who.fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { error } = (await response.json()) as { error?: { code: string; message: string } }
  return [response.status, error?.message]
}
const ROLE = [403, 'You may read this project but not change it.']

describe('members of a project', () => {
  it('A viewer reads the project and its papers, and changes nothing (SHR-11, SHR-23)', async () => {
    const id = await sharedProject('viewer')
    const paper = await upload(ada, id)
    expect((await projectOf(ben, id)).may).toEqual(RIGHTS_OF.viewer)
    const adasName = (await members(ada, id))[0]?.name
    expect(await projectOf(ben, id)).toMatchObject({ owner_name: adasName, role: 'viewer', member_count: 2 })
    expect(await projectOf(ada, id)).toMatchObject({ owner_name: null, role: 'owner' })
    expect((await ben.json<{ count: number }>(api.documents({ project_id: id }))).count).toBe(1)
    expect((await ben.fetch(api.documentFile(paper.id))).status).toBe(200)
    expect(await answer(ben, 'PATCH', api.document(paper.id), { title: 'x' })).toEqual(ROLE)
    expect(await answer(ben, 'DELETE', api.document(paper.id))).toEqual(ROLE)
    expect(await answer(ben, 'PATCH', api.project(id), { name: 'x' })).toEqual(ROLE)
    expect(await answer(ben, 'PATCH', api.projectMember(id, ben.userId), { role: 'owner' })).toEqual(ROLE)
    // The right is checked before the file is read.
    expect(await answer(ben, 'POST', api.subscriptionsOpml(), { project_id: id, opml: 'no markup' })).toEqual(ROLE)
    expect(await answer(eve, 'GET', api.projectMembers(id))).toEqual([404, 'Project not found'])
    // The default project is a property of the member.
    const next = await sharedProject('viewer')
    await ben.json(api.project(next), { method: 'PATCH', body: { is_default: true } })
    expect([(await projectOf(ben, next)).is_default, (await projectOf(ada, next)).is_default]).toEqual([true, false])
  })

  it('An owner lists members with their addresses, changes their roles and removes them (SHR-20)', async () => {
    const id = await sharedProject('viewer')
    expect((await members(ada, id)).map(({ email, role }) => [email, role])).toEqual([
      [ada.email, 'owner'],
      [ben.email, 'viewer'],
    ])
    expect((await members(ben, id)).map(({ email }) => email)).toEqual([null, null])
    const seen = (await members(ada, id))[1]!.version
    const path = api.projectMember(id, ben.userId)
    await ada.json(path, { method: 'PATCH', body: { role: 'editor', version: seen } })
    expect((await answer(ada, 'PATCH', path, { role: 'commenter', version: seen }))[0]).toBe(409)
    const paper = await upload(ben, id)
    expect((await ada.json<{ data: { owner_id: string } }>(api.document(paper.id))).data.owner_id).toBe(ben.userId)
    await ada.json(api.projectMember(id, ben.userId), { method: 'DELETE' })
    expect(await answer(ben, 'GET', api.project(id))).toEqual([404, 'Project not found'])
    expect(await answer(ben, 'GET', api.document(paper.id))).toEqual([404, 'Document not found'])
    expect((await ada.fetch(api.document(paper.id))).status).toBe(200)
    expect(await answer(ada, 'DELETE', api.projectMember(id, ben.userId))).toEqual([404, 'Member not found'])
  })

  it('A project always has an owner: the last owner can leave only after another member becomes owner (SHR-24)', async () => {
    const name = `Name ${crypto.randomUUID()}`
    const id = await sharedProject('editor', name)
    await ben.json(api.projects(), { body: { name } })
    const first = 'Make someone else owner before you leave.'
    expect(await answer(ada, 'DELETE', api.projectMember(id, ada.userId))).toEqual([409, first])
    const needed = 'A project needs at least one owner.'
    expect(await answer(ada, 'PATCH', api.projectMember(id, ada.userId), { role: 'viewer' })).toEqual([409, needed])
    await ada.json(api.projectTransfer(id), { body: { user_id: ben.userId } })
    // The new owner has a project of this name.
    expect(await projectOf(ben, id)).toMatchObject({ owner_id: ben.userId, name: `${name} (transferred)` })
    await ada.json(api.projectMember(id, ada.userId), { method: 'DELETE' })
    expect(await members(ben, id)).toMatchObject([{ user_id: ben.userId, role: 'owner' }])
  })

  it('The private rows of a member who leaves are deleted and the shared rows stay; all rows of a removed member stay (SHR-09, SHR-24)', async () => {
    const id = await sharedProject('editor')
    const create = async (path: string, body: object) =>
      (await ben.json<{ data: { id: string } }>(path, { body })).data.id
    const stored = async () => {
      const rows = `select 'search' as kind from saved_searches where project_id = $1
        union all select visibility from conversations where project_id = $1
        union all select 'feedback' from message_feedback f join messages m on m.id = f.message_id where m.project_id = $1`
      return (await inDatabase(server, rows, [id])).map(({ kind }) => String(kind)).toSorted()
    }
    await create(api.savedSearches(id), { name: 'Naps', query: { q: 'naps' } })
    await create(api.conversations(id), { visibility: 'me' })
    const shared = await create(api.conversations(id), { visibility: 'project' })
    const [message] = await inDatabase(
      server,
      `insert into messages (conversation_id, project_id, asked_by, question, scope, leave_out_retracted, status)
        values ($1, $2, $3, 'Q', '{"kind":"all"}', true, 'done') returning id`,
      [shared, id, ben.userId],
    )
    await ben.json(api.answerFeedback(String(message!['id'])), { method: 'PUT', body: { helpful: true } })
    const all = ['feedback', 'me', 'project', 'search']
    expect(await stored()).toEqual(all)
    await ada.json(api.projectMember(id, ben.userId), { method: 'DELETE' })
    expect(await stored()).toEqual(all)
    const again = 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)'
    await inDatabase(server, again, [id, ben.userId, 'viewer'])
    await ben.json(api.projectMember(id, ben.userId), { method: 'DELETE' })
    expect(await stored()).toEqual(['project'])
    const { data } = await ada.json<{ data: Conversation }>(api.conversation(shared))
    expect(data.created_by?.id).toBe(ben.userId)
  })

  it('If all owners leave at the same time, one of them remains', async () => {
    const left = async () => {
      const id = await sharedProject('owner')
      const answers = await Promise.all(
        [ada, ben].map((who) => answer(who, 'DELETE', api.projectMember(id, who.userId))),
      )
      return answers.map(([status]) => Number(status)).toSorted((a, b) => a - b)
    }
    expect(await Promise.all(Array.from({ length: 5 }, left))).toEqual(Array.from({ length: 5 }, () => [200, 409]))
  })

  it('A former member does not see jobs that the member started in the project', async () => {
    const id = await sharedProject('editor')
    const job = await inDatabase(
      server,
      `insert into jobs (kind, status, created_by, project_id, input) values ('research', 'completed', $1, $2, '{}') returning id`,
      [ben.userId, id],
    )
    const path = api.jobCancel(String(job[0]!['id']))
    expect((await answer(ben, 'POST', path))[0]).toBe(200)
    await ada.json(api.projectMember(id, ben.userId), { method: 'DELETE' })
    expect(await answer(ben, 'POST', path)).toEqual([404, 'Job not found'])
  })

  it('The deletion of an account leaves the papers of other projects, and transfers its shared projects (SHR-10, SHR-34)', async () => {
    const zoe = await signUp(server.url)
    const id = await sharedProject('editor')
    await join(id, zoe, 'editor')
    const paper = await upload(zoe, id)
    const own = await newProject(zoe, 'Of Zoe')
    const kept = await upload(zoe, own)
    await join(own, ben, 'viewer')
    const alone = await newProject(zoe, 'Alone')
    const shared = await newProject(zoe, 'Deleted with Zoe')
    await join(shared, ben, 'editor')
    await join(own, ada, 'editor')
    const { owned_projects } = (await zoe.json<{ data: AccountSummary }>(api.account())).data
    const others = owned_projects.map(({ name, members }) => [name, members.map(({ user_id }) => user_id)])
    expect(others).toEqual([
      ['Deleted with Zoe', [ben.userId]],
      ['Of Zoe', [ada.userId, ben.userId]],
    ])
    const { password } = zoe
    const needed = [409, 'Choose a new owner for each project that has other members.']
    for (const successors of [{}, { [shared]: null }, { [shared]: null, [own]: eve.userId }])
      expect(await answer(zoe, 'DELETE', api.account(), { password, successors })).toEqual(needed)
    // Deleted projects go to a member who may change papers, or are deleted with the account.
    const [edited, viewed] = [await newProject(zoe, 'Edited'), await newProject(zoe, 'Viewed')]
    await join(edited, ben, 'editor')
    await join(viewed, ben, 'viewer')
    for (const one of [edited, viewed]) await zoe.json(api.project(one), { method: 'DELETE' })
    const successors = { [shared]: null, [own]: ben.userId }
    await zoe.json(api.account(), { method: 'DELETE', body: { password, successors } })
    expect((await ada.json<{ data: { owner_id: null } }>(api.document(paper.id))).data.owner_id).toBeNull()
    expect((await ada.fetch(api.documentFile(paper.id))).status).toBe(200)
    expect(await projectOf(ben, own)).toMatchObject({ owner_id: ben.userId, may: RIGHTS_OF.owner })
    const { data } = await ada.json<{ data: Notice[] }>(api.notices())
    expect(data).toMatchObject([{ kind: 'owner_changed', data: { project_id: own, project: 'Of Zoe' } }])
    expect(await answer(ben, 'GET', api.project(shared))).toEqual([404, 'Project not found'])
    expect((await ben.fetch(api.documentFile(kept.id))).status).toBe(200)
    const left = 'select id, owner_id from projects where id = any ($1)'
    expect(await inDatabase(server, left, [[alone, shared, edited, viewed]])).toEqual([
      { id: edited, owner_id: ben.userId },
    ])
  })

  it('A member whose account is disabled counts neither as an owner nor as a successor (SHR-10, SHR-24)', async () => {
    const [zoe, off] = [await signUp(server.url), await signUp(server.url)]
    const [asked, owned, last] = [
      await newProject(zoe, 'Asked'),
      await newProject(zoe, 'Owned'),
      await newProject(zoe, 'Last'),
    ]
    for (const id of [asked, owned, last]) await join(id, off, 'owner')
    await join(asked, ben, 'viewer')
    await join(owned, ben, 'owner')
    await inDatabase(server, 'update profiles set disabled_at = now() where id = $1', [off.userId])
    const first = 'Make someone else owner before you leave.'
    expect(await answer(zoe, 'DELETE', api.projectMember(asked, zoe.userId))).toEqual([409, first])
    const needed = 'A project needs at least one owner.'
    expect(await answer(zoe, 'PATCH', api.projectMember(asked, zoe.userId), { role: 'viewer' })).toEqual([409, needed])
    const disabled = 'The account of this member is disabled. Choose another member.'
    expect(await answer(zoe, 'POST', api.projectTransfer(asked), { user_id: off.userId })).toEqual([422, disabled])
    const { owned_projects } = (await zoe.json<{ data: AccountSummary }>(api.account())).data
    expect(owned_projects).toMatchObject([{ id: asked, members: [{ user_id: ben.userId }] }])
    const { password } = zoe
    const choose = [409, 'Choose a new owner for each project that has other members.']
    for (const successors of [{}, { [asked]: off.userId }])
      expect(await answer(zoe, 'DELETE', api.account(), { password, successors })).toEqual(choose)
    await zoe.json(api.account(), { method: 'DELETE', body: { password, successors: { [asked]: ben.userId } } })
    const owners = await inDatabase(server, 'select id, owner_id from projects where id = any ($1)', [
      [asked, owned, last],
    ])
    // The last project has no other member.
    expect(Object.fromEntries(owners.map(({ id, owner_id }) => [id, owner_id]))).toEqual({
      [asked]: ben.userId,
      [owned]: ben.userId,
      [last]: off.userId,
    })
  })

  it('A user lists and marks as read only the notices for this user', async () => {
    const fay = await signUp(server.url)
    const listed = async (who: Client) =>
      (await who.json<{ data: Notice[] }>(api.notices({ unread: 'true' }))).data.map(({ id }) => id)
    const data = { project_id: crypto.randomUUID(), project: 'Naps', owner: 'Ada' }
    const [row] = await inDatabase(
      server,
      `insert into notices (user_id, kind, data) values ($1, 'owner_changed', $2) returning id`,
      [fay.userId, data],
    )
    const ids = [row!['id']]
    expect(await listed(eve)).toEqual([])
    expect(await eve.json(api.noticesRead(), { body: { ids } })).toEqual({ data: { count: 0 } })
    expect(await listed(fay)).toEqual(ids)
    expect(await fay.json(api.noticesRead(), { body: { ids } })).toEqual({ data: { count: 1 } })
    expect(await listed(fay)).toEqual([])
    expect((await fay.json<{ data: Notice[] }>(api.notices())).data).toMatchObject([{ id: ids[0], data }])
  })

  it('An address names an own project before a shared one, and shared projects of one name have addresses of their own (SHR-07)', async () => {
    const name = `Naps ${crypto.randomUUID()}`
    const at = async (who: Client, address: string) =>
      (await who.json<{ data: Project[] }>(api.projects({ address }))).data.map(({ id }) => id)
    const addressOf = async (who: Client, id: string) => (await projectOf(who, id)).address
    const first = await sharedProject('viewer', name)
    expect(await addressOf(ben, first)).toBe(name)
    const second = (await eve.json<{ data: Project }>(api.projects(), { body: { name: name.toUpperCase() } })).data.id
    await join(second, ben, 'viewer')
    for (const [id, text] of [
      [first, name],
      [second, name.toUpperCase()],
    ] as const) {
      const address = `${text}~${id.slice(0, 4)}`
      expect(await addressOf(ben, id)).toBe(address)
      expect(await at(ben, address.toLowerCase())).toEqual([id])
    }
    // The unambiguous address is valid for the owner, too.
    expect([await addressOf(ada, first), await at(ada, `${name}~${first.slice(0, 4)}`)]).toEqual([name, [first]])
    expect(await at(ada, `${name}~${second.slice(0, 4)}`)).toEqual([])
    expect(await at(ben, name)).toEqual([first])
    const own = (await ben.json<{ data: Project }>(api.projects(), { body: { name } })).data.id
    expect([await addressOf(ben, own), await at(ben, name)]).toEqual([name, [own]])
  })

  it('Two projects cannot have one unambiguous address (SHR-07)', async () => {
    const [name, other] = [`Naps ${crypto.randomUUID()}`, `Walks ${crypto.randomUUID()}`]
    const [first, second] = [await newProject(ada, name), await newProject(eve, other)]
    const insert = 'insert into projects (id, owner_id, name) values ($1, $2, $3)'
    const like = (id: string) => `${id.slice(0, 4)}${crypto.randomUUID().slice(4)}`
    await expect(inDatabase(server, insert, [like(first), eve.userId, name.toUpperCase()])).rejects.toThrow('unique')
    await inDatabase(server, insert, [like(second), ada.userId, `${other} 2`])
    const refused = 'Another project of this name would have the same address. Please choose another name.'
    expect(await answer(eve, 'PATCH', api.project(second), { name: `${other} 2` })).toEqual([422, refused])
  })

  it('A new project gets another id if a project of its name has the unambiguous address (SHR-07)', async () => {
    const name = `Naps ${crypto.randomUUID()}`
    const fay = await signUp(server.url)
    // A tenth of all addresses of the name. Deleted projects keep theirs, and their names can be used again.
    await inDatabase(
      server,
      `insert into projects (id, owner_id, name, deleted_at)
       select overlay(gen_random_uuid()::text placing lpad(to_hex(n), 4, '0') from 1 for 4)::uuid, $1, $2, now()
         from generate_series(0, 65535, 10) n`,
      [fay.userId, name],
    )
    for (let project = 1; project <= 40; project++)
      expect(await answer(fay, 'DELETE', api.project(await newProject(fay, name)))).toEqual([200, undefined])
  })

  it('A name that has the form of an unambiguous address is refused, and an existing one comes before that form (SHR-07)', async () => {
    const like = `Naps ${crypto.randomUUID()}`
    const id = await sharedProject('viewer', like)
    const taken = `${like}~${id.slice(0, 4)}`
    const refused =
      'A project name cannot end in “~” and four digits or letters from a to f. Please choose another one.'
    expect(await answer(ada, 'POST', api.projects(), { name: taken })).toEqual([422, refused])
    expect(await answer(ada, 'PATCH', api.project(id), { name: taken })).toEqual([422, refused])
    const other = await sharedProject('viewer')
    await inDatabase(server, 'update projects set name = $2 where id = $1', [other, taken])
    const [found] = (await ada.json<{ data: Project[] }>(api.projects({ address: taken }))).data
    expect(found!.id).toBe(other)
    expect(await answer(ada, 'PATCH', api.project(other), { name: taken, description: 'D' })).toEqual([200, undefined])
  })

  it('An editor changes the feeds, recommendations and deleted papers of other members, and a viewer reads them', async () => {
    const id = await sharedProject('editor')
    await join(id, eve, 'viewer')
    const rows = async (who: Client, path: string) =>
      (await who.json<{ data: { id: string }[] }>(path)).data.map((row) => row.id)
    const count = async (who: Client, path: string) => (await who.json<{ count: number }>(path)).count

    const papers = [{ title: `Naps ${crypto.randomUUID()}` }]
    await ada.json(api.recommendations(), { body: { project_id: id, papers } })
    const [found] = await rows(eve, api.recommendations({ project_id: id }))
    expect(await answer(eve, 'PATCH', api.recommendation(found!), { status: 'rejected' })).toEqual(ROLE)
    expect(await answer(ben, 'PATCH', api.recommendation(found!), { status: 'rejected' })).toEqual([200, undefined])
    expect(await rows(eve, api.recommendations({ project_id: id, status: 'rejected' }))).toEqual([found])

    const [journal] = await inDatabase(
      server,
      `insert into journals (name, rss_feed_url) values ('Members Weekly', 'http://127.0.0.1:9/feed') returning id`,
    )
    const followed = { project_id: id, journal_id: journal!['id'] as string }
    expect(await answer(eve, 'POST', api.subscriptions(), followed)).toEqual(ROLE)
    await ben.json(api.subscriptions(), { body: followed })
    expect(await count(eve, api.subscriptions({ project_id: id }))).toBe(1)
    expect(await answer(eve, 'DELETE', api.subscriptions(followed))).toEqual(ROLE)
    await ada.json(api.subscriptions(followed), { method: 'DELETE' })
    expect(await count(ben, api.subscriptions({ project_id: id }))).toBe(0)

    const paper = await upload(ada, id)
    await ben.json(api.document(paper.id), { method: 'PATCH', body: { title: 'Zopiclone and naps' } })
    expect(await rows(eve, api.documents({ search: 'zopiclone' }))).toEqual([paper.id])
    await ada.json(api.document(paper.id), { method: 'DELETE' })
    const deleted = async (who: Client) =>
      (await who.json<{ data: { documents: { id: string }[] } }>(api.trash())).data.documents.map((row) => row.id)
    expect([await deleted(ben), await deleted(eve)]).toEqual([[paper.id], []])
    expect(await answer(eve, 'POST', api.documentRestore(paper.id))).toEqual(ROLE)
    await ben.json(api.documentRestore(paper.id), { method: 'POST' })
    expect(await rows(eve, api.documents({ search: 'zopiclone' }))).toEqual([paper.id])
  })
})
