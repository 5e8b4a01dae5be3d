import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DocumentRow, ListedDocument } from '#shared/contract/documents.ts'
import type { SameFile } from '#shared/contract/document-list.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let ada: Client
let bob: Client
let project: string
const ids: Record<string, string> = {}
const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

const newProject = async (who: Client, name: string) =>
  (await who.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
const add = async (name: string, fields: object, text?: string) => {
  const { id } = await ada.upload<DocumentRow>(project, new File([paper], name, { type: 'application/pdf' }))
  ids[name] = id
  if (text) await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `[Page 1]\n${text}` } })
  await ada.json(api.document(id), { method: 'PATCH', body: fields })
}
const find = (search: string, more: Parameters<typeof api.documents>[0] = {}, who = ada) =>
  who.json<{ data: ListedDocument[]; count: number; any_word: boolean }>(
    api.documents({ project_id: project, search, ...more }),
  )
const anywhere = (asked: Parameters<typeof api.documents>[0], who = ada) =>
  who.json<{ data: ListedDocument[]; count: number }>(api.documents(asked))
const names = async (...asked: Parameters<typeof find>) => (await find(...asked)).data.map((row) => row.filename)
const shown = (row: ListedDocument) => row.snippet?.map((part) => (part.hit ? `<${part.text}>` : part.text)).join('')

beforeAll(async () => {
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  project = await newProject(ada, 'Papers')
  await add(
    'body.pdf',
    { title: 'A cohort of nurses', doi_link: '10.5555/nurse.2024-77' },
    `${'Nothing of note is said here. '.repeat(60)}Participants who had studied slept better (COVID-19 apart) <b>after</b> a nap.${' More follows.'.repeat(60)}`,
  )
  await add('title.pdf', { title: 'Sleeping and memory', journal_name: 'Annals of Rest' })
  await add('keyword.pdf', { title: 'Another one', keywords: ['sleep hygiene'] })
})

describe('the search of documents (DOCS-01, API-24)', () => {
  it('The search ranks a title over keywords, and keywords over the text', async () => {
    expect(await names('sleep')).toEqual(['title.pdf', 'keyword.pdf'])
    expect(await names('slept')).toEqual(['body.pdf'])
    await ada.json(api.documentText(ids['body.pdf']!), {
      method: 'PUT',
      body: { extracted_text: '[Page 1]\nThey studied sleep for long. COVID-19 apart, <b>after</b> a nap.' },
    })
    expect(await names('sleep')).toEqual(['title.pdf', 'keyword.pdf', 'body.pdf'])
  })

  it('The search finds beginnings and other forms of words, all of them together, and parts of a DOI or filename', async () => {
    expect(await names('stud')).toEqual(['body.pdf'])
    expect(await names('studies')).toEqual(['body.pdf'])
    expect(await names('covid-19 nurse')).toEqual(['body.pdf'])
    expect(await names('urse.2024-7')).toEqual(['body.pdf'])
    expect(await names('EYWORD.P')).toEqual(['keyword.pdf'])
    expect(await names('annals')).toEqual(['title.pdf'])
    expect(await names("'); drop table documents; --")).toEqual([])
    expect(await names("' | ! & ( <-> :*")).toEqual([])
  })

  it('The search falls back to documents with any of the words, most and rarest words first', async () => {
    const found = async (search: string, more = {}) => {
      const { data, any_word, count } = await find(search, more)
      expect(count).toBe(data.length)
      return [any_word, ...data.map(({ filename }) => filename)]
    }
    expect(await found('covid memory')).toEqual([true, 'title.pdf', 'body.pdf'])
    expect(await found('covid memory', { order_by: 'title.desc' })).toEqual([true, 'title.pdf', 'body.pdf'])
    expect(await found('sleep annals quokka')).toEqual([true, 'title.pdf', 'keyword.pdf', 'body.pdf'])
    expect(await found('hygiene annals', { keyword: ['sleep hygiene'] })).toEqual([true, 'keyword.pdf'])
    expect(await found('covid')).toEqual([false, 'body.pdf'])
    const row = (await find('covid memory')).data.find(({ filename }) => filename === 'body.pdf')
    expect(shown(row!)).toContain('<COVID>-19')
    expect((await find('covid memory', { project_id: await newProject(ada, 'Empty') })).count).toBe(0)
  })

  it('A key of one project counts no documents without a project in a search for any of the words (KEY-06)', async () => {
    const own = await newProject(ada, 'Of a key')
    const file = (name: string) => new File([paper], name, { type: 'application/pdf' })
    await ada.upload(own, file('tenrecs.pdf'))
    const { id } = await ada.upload<DocumentRow>(own, file('tenrecs-unassigned.pdf'))
    await inDatabase(server, 'update documents set project_id = null where id = $1', [id])
    const body = { name: 'One project', scopes: ['read'], project_ids: [own] }
    const { data } = await ada.json<{ data: { key: string } }>(api.keys(), { body })
    const search = api.documents({ search: 'tenrecs quokkas' })
    const countWith = async (token: string) => {
      const response = await fetch(server.url + search, { headers: { authorization: `Bearer ${token}` } })
      return ((await response.json()) as { count: number }).count
    }
    expect([await countWith(ada.token), await countWith(data.key)]).toEqual([2, 1])
  })

  it('The search finds words in the abstract of a paper without a text, and of the text instead after its extraction', async () => {
    const own = await newProject(ada, 'Abstracts')
    const { id } = (
      await ada.json<{ data: { document: DocumentRow } }>(api.papers(), {
        body: { project_id: own, title: 'Short', abstract: 'Wombats rest in burrows.' },
      })
    ).data.document
    const of = async (search: string) => (await find(search, { project_id: own })).data
    expect(shown((await of('wombat'))[0]!)).toBe('<Wombats> rest in burrows.')
    const { data } = await ada.json<{ data: DocumentRow & { version: number } }>(api.document(id))
    await ada.json(api.document(id), {
      method: 'PATCH',
      body: { abstract: 'Numbats rest in logs.', version: data.version },
    })
    expect([(await of('wombat')).length, (await of('numbat')).length]).toEqual([0, 1])
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: '[Page 1]\nBilbies rest.' } })
    expect([(await of('numbat')).length, (await of('bilby')).length]).toEqual([0, 1])
  })

  it('The search shows the place of the words, as plain parts', async () => {
    const [row] = (await find('nap')).data
    expect(shown(row!)).toContain('<b>after</b> a <nap>.')
    expect(shown((await find('studies')).data[0]!)).toContain('They <studied> sleep')
    expect(shown((await find('urse.2024')).data[0]!)).toBe('DOI: 10.5555/n<urse.2024>-77')
    expect((await find('')).data.every((one) => one.snippet === null)).toBe(true)
  })

  it('The search lists each match once, titles before texts, also beyond the 1,000 documents that are ranked', async () => {
    const many = await newProject(ada, 'Many papers')
    const put = async (title: string) =>
      (await ada.json<{ data: { document: DocumentRow } }>(api.papers(), { body: { project_id: many, title } })).data
        .document.id
    const latest = await Promise.all(['One', 'Two', 'Three'].map((title) => put(title)))
    await Promise.all(
      latest.map((id) =>
        ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: '[Page 1]\nQuokkas.' } }),
      ),
    )
    const records = Array.from({ length: 1010 }, (_, n) => `TY  - JOUR\nTI  - Quokka ${n}\nER  - \n`)
    await importReferences(ada, many, { 'quokkas.ris': records.join('') }, { join_duplicates: 'false' })
    const pages = async (where: { project_id?: string }) => {
      const all: string[] = []
      for (let page = 1; page <= 11; page += 1) {
        const { data, count } = await anywhere({ search: 'quokka', limit: 100, page, ...where })
        expect(count).toBe(1013)
        all.push(...data.map(({ id }) => id))
      }
      return all
    }
    const all = await pages({ project_id: many })
    expect(new Set(all).size).toBe(1013)
    expect(await pages({})).toEqual(all)
    const { data, count } = await find('quokka', { project_id: many, order_by: 'title.desc', limit: 3 })
    expect([count, data.map(({ title }) => title)]).toEqual([1013, ['Two', 'Three', 'Quokka 999']])
    expect((await anywhere({ search: 'quokka', page: 999 })).count).toBe(1013)
    expect(all.slice(0, 1000).filter((id) => latest.includes(id))).toEqual([])
    expect((await find('quokka', { project_id: many, page: 999 })).count).toBe(1013)
  })

  it('The search works with filters, order and pages, and counts exactly', async () => {
    expect(await names('sleep', { keyword: ['sleep hygiene'] })).toEqual(['keyword.pdf'])
    expect(await names('sleep', { order_by: 'title.asc' })).toEqual(['body.pdf', 'keyword.pdf', 'title.pdf'])
    const second = await find('sleep', { limit: 2, page: 2 })
    expect([second.count, second.data.map((row) => row.filename)]).toEqual([3, ['body.pdf']])
    const beyond = await find('sleep', { limit: 2, page: 9 })
    expect([beyond.count, beyond.data]).toEqual([3, []])
    const any = { status: ['pending', 'completed'] }
    const ranked = await find('sleep', { ...any, limit: 2 })
    expect([ranked.count, ranked.data[0]!.filename]).toEqual([3, 'title.pdf'])
    expect((await find('sleep', { ...any, order_by: 'title.desc' })).data.map((row) => row.filename)).toEqual([
      'title.pdf',
      'keyword.pdf',
      'body.pdf',
    ])
    expect((await find('sleep', { project_id: 'none' })).count).toBe(0)
  })

  it("Each filter restricts a search by relevance as it restricts a search in an order; 'completed' includes 'processed' (STATE-12)", async () => {
    const own = await newProject(ada, 'Filtered')
    const make = async (name: string, patch: object) => {
      const { id } = await ada.upload<DocumentRow>(own, new File([paper], name, { type: 'application/pdf' }))
      await ada.json(api.document(id), { method: 'PATCH', body: { title: 'Wakeful nights', ...patch } })
    }
    await make('plain.pdf', {})
    await make('filtered.pdf', { status: 'error', keywords: ['naps'], evidence_level: 'Level 5: Expert opinion' })
    await make('processed.pdf', { status: 'processed' })
    await make('loose.pdf', { project_id: null })
    const filters: [Parameters<typeof api.documents>[0], string[]][] = [
      [{ project_id: own, status: ['error'] }, ['filtered.pdf']],
      [{ project_id: own, status: ['completed'] }, ['processed.pdf']],
      [{ project_id: own, keyword: ['naps'] }, ['filtered.pdf']],
      [{ project_id: own, evidence_level: ['Level 5: Expert opinion'] }, ['filtered.pdf']],
      [{ project_id: 'none' }, ['loose.pdf']],
      [{ project_id: own }, ['filtered.pdf', 'plain.pdf', 'processed.pdf']],
    ]
    for (const [filter, expected] of filters)
      for (const order of [{}, { order_by: 'created_at.desc' }]) {
        const { data, count } = await anywhere({ search: 'wakeful', ...filter, ...order })
        expect([filter, data.map((row) => row.filename).toSorted(), count]).toEqual([filter, expected, expected.length])
      }
  })

  it('The search finds no document of another user in any order, with filters, in a project or in all', async () => {
    for (const where of [{}, { project_id: project }])
      for (const more of [
        {},
        { order_by: 'title.asc' },
        { status: ['pending'] },
        { keyword: ['sleep hygiene'] },
      ] as const)
        expect(await anywhere({ search: 'sleep', ...where, ...more }, bob), JSON.stringify(more)).toMatchObject({
          data: [],
          count: 0,
        })
    expect((await anywhere({ search: 'sleep' })).count).toBe(3)
  })

  it('The search follows the move of a document to another project, its change and its deletion', async () => {
    const other = await newProject(ada, 'Others')
    await add('moving.pdf', { title: 'Zymurgy' })
    await ada.json(api.document(ids['moving.pdf']!), { method: 'PATCH', body: { project_id: other } })
    expect([await names('zymurgy'), await names('zymurgy', { project_id: other })]).toEqual([[], ['moving.pdf']])
    await ada.json(api.document(ids['moving.pdf']!), { method: 'PATCH', body: { title: 'Brewing' } })
    expect([await names('zymurgy', { project_id: other }), await names('brew', { project_id: other })]).toEqual([
      [],
      ['moving.pdf'],
    ])
    await ada.json(api.document(ids['moving.pdf']!), { method: 'DELETE' })
    expect((await find('brew', { project_id: other })).count).toBe(0)
  })

  it('The list of documents shows no match of another user, with or without the project', async () => {
    expect((await find('sleep', {}, bob)).count).toBe(0)
    expect((await bob.json<{ count: number }>(api.documents({ search: 'sleep' }))).count).toBe(0)
  })

  it('The search stores a text with more different words than an index can hold', async () => {
    const words = Array.from({ length: 400_000 }, (_, n) => `w${((n * 7919) % 400_000).toString(36)}é€`).join(' ')
    await add('huge.pdf', { title: 'Gargantuan' }, `uniquestart ${words}`)
    expect(await names('gargantuan')).toEqual(['huge.pdf'])
    expect(await names('uniquestart')).toEqual(['huge.pdf'])
  })
})

describe('the same file twice', () => {
  it('A second file with the same content is reported to its owner only, the first one first', async () => {
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', paper)).toString('hex')
    const same = (who: Client, hash: string) => who.json<{ data: SameFile[] }>(api.documentsSameFile(hash))
    const { data } = await same(ada, digest)
    expect(data[0]).toMatchObject({ id: ids['body.pdf'], filename: 'body.pdf', project_name: 'Papers' })
    expect((await same(bob, digest)).data).toEqual([])
    expect((await same(ada, '0'.repeat(64))).data).toEqual([])
  })
})

describe('the sample paper', () => {
  it('The sample paper is added to a project like an upload, and not to a project of another user', async () => {
    const own = await newProject(bob, 'Samples')
    const { data } = await bob.json<{ data: DocumentRow }>(api.documentsSample(), { body: { project_id: own } })
    expect(data).toMatchObject({ filename: 'sample-paper.pdf', status: 'pending', project_id: own })
    const file = await bob.fetch(api.documentFile(data.id))
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(paper)
    await expect(bob.json(api.documentsSample(), { body: { project_id: project } })).rejects.toThrow(
      'Project not found',
    )
  })
})
