import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, pages } from '#shared/contract/paths.ts'
import type { ProjectRole } from '#shared/contract/roles.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/** This file tests two members of a project, each in a separate browser context. Ada is the owner. */

let server: TestServer
let browser: Browser
let ada: Client
let ben: Client
let adasPage: Page
let bensPage: Page
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url, { email: 'ada@example.org' })
  ben = await signUp(server.url, { email: 'ben@example.org' })
  browser = await openBrowser()
  adasPage = (await signedInPage(browser, ada)).page
  bensPage = (await signedInPage(browser, ben)).page
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

const button = (name: string, within: Page | Locator) => within.getByRole('button', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row', { name, exact: true })
const notice = (page: Page, words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
async function sharedProject(name: string, role: ProjectRole): Promise<string> {
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })
  const sql = 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)'
  await inDatabase(server, sql, [data.id, ben.userId, role])
  return data.id
}
async function chooseRole(name: string, role: string) {
  await adasPage.getByRole('combobox', { name: `Role of ${name}` }).click()
  await adasPage.getByRole('option', { name: role, exact: true }).click()
}

describe('people of a project', () => {
  it('The screens of a member follow a change of the role without a reload (SHR-20, SHR-23)', async () => {
    await sharedProject('Roles', 'editor')
    await bensPage.goto(pages.documents('Roles'))
    await button('Upload Document', bensPage).first().waitFor()
    await adasPage.goto(pages.people('Roles'))
    await row(adasPage, 'ben').getByText('ben@example.org').waitFor()
    await row(adasPage, 'ben').getByText('Today').waitFor()
    await chooseRole('ben', 'Viewer')
    await notice(adasPage, 'Role changed')
    await button('Upload Document', bensPage).first().waitFor({ state: 'detached' })
    expect(await button('Add a sample paper', bensPage).count()).toBe(0)
    await bensPage.goto(pages.people('Roles'))
    await row(bensPage, 'ben').getByText('Viewer', { exact: true }).waitFor()
    // Only owners see addresses and controls.
    expect(await bensPage.getByText('ada@example.org').count()).toBe(0)
    expect(await bensPage.getByRole('main').getByRole('combobox').count()).toBe(0)
    expect(await bensPage.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Leave project'])
  })

  it('A member who may only read finds no buttons that change the project (SHR-23)', async () => {
    const id = await sharedProject('Reading', 'viewer')
    const paper = await ada.json<{ data: { id: string } }>(api.documentsSample(), { body: { project_id: id } })
    await bensPage.goto(pages.documents('Reading'))
    await bensPage.getByRole('link', { name: 'sample-paper.pdf' }).waitFor()
    // A viewer may cite and export.
    await bensPage.getByRole('checkbox').first().click()
    const bar = bensPage.getByRole('region', { name: 'Selection' })
    await bar.waitFor()
    const names = await bar.getByRole('button').allInnerTexts()
    expect(names.filter((name) => name.trim())).toEqual(['Copy citations', 'Copy to project…', 'Export…'])
    await bensPage.goto(pages.document('Reading', paper.data.id))
    await button('Read the PDF', bensPage).waitFor()
    for (const name of ['Extract Text', 'Analyze', 'Vectorise'])
      expect(await button(name, bensPage).count(), name).toBe(0)
    await bensPage.goto(pages.documentEdit('Reading', paper.data.id))
    await bensPage.getByRole('heading', { name: 'You may read this project but not change it.' }).waitFor()
    await bensPage.goto(pages.overview('Reading'))
    await bensPage.getByText('Your role: Viewer').waitFor()
    expect(await button('Edit', bensPage).count()).toBe(0)
    expect(await button('Delete', bensPage).count()).toBe(0)
    await bensPage.goto(pages.discover('Reading'))
    await bensPage.getByText('No recommendations yet.').waitFor()
    expect(await button('Generate Research', bensPage).count()).toBe(0)
    await bensPage.goto(pages.projects())
    const shared = bensPage.getByRole('region', { name: 'Shared with me' })
    const card = shared.getByRole('article', { name: 'Reading' })
    await card.getByText('Owned by ada').waitFor()
    await card.getByText('Viewer').waitFor()
    expect(await button('Edit', card).count()).toBe(0)
    expect(await accessibilityProblems(bensPage)).toEqual([])
  })

  it('The card of a shared project shows owner, date of creation and number of documents, also on a narrow screen (PROJ-02, SHR-23)', async () => {
    const id = await sharedProject('Dated', 'editor')
    const { data } = await ada.json<{ data: { created_at: string } }>(api.project(id))
    const parts: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' }
    const day = new Date(data.created_at).toLocaleDateString('en-US', parts)
    await bensPage.goto(pages.projects())
    const card = bensPage.getByRole('article', { name: 'Dated', exact: true })
    const owner = card.getByText('Owned by ada', { exact: true })
    const created = card.getByText(`Created ${day}0 documents`, { exact: true })
    await created.waitFor()
    const size = bensPage.viewportSize()!
    const top = async (part: Locator) => (await part.boundingBox())!.y
    expect(await top(created)).toBe(await top(owner))
    // On a narrow screen, the date and the number wrap together.
    await bensPage.setViewportSize({ width: 390, height: 844 })
    expect(await top(created)).toBeGreaterThan(await top(owner))
    expect((await created.boundingBox())!.height).toBe((await owner.boundingBox())!.height)
    expect(await bensPage.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await bensPage.setViewportSize(size)
  })

  it("The project switcher lists own projects under 'Projects' and those of others under 'Shared with me' (NAV-21)", async () => {
    const guest = await signUp(server.url, { email: 'guest@example.org' })
    const id = await sharedProject('Lent', 'viewer')
    await inDatabase(server, "insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')", [
      id,
      guest.userId,
    ])
    const { page } = await signedInPage(browser, guest)
    const openMenu = async () => {
      await page.goto(pages.projects())
      await button('Select Project', page).click()
      await page.getByRole('menuitem', { name: 'Lent' }).waitFor()
      return (await page.getByRole('menu').innerText()).split('\n').filter((line) => line.trim())
    }
    expect(await openMenu()).toEqual(['Projects', 'Shared with me', 'Lent', 'Manage Projects'])
    await guest.json(api.projects(), { body: { name: 'Own' } })
    expect(await openMenu()).toEqual(['Projects', 'Own', 'Default', 'Shared with me', 'Lent', 'Manage Projects'])
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'My projects' }).getByRole('article', { name: 'Own' }).waitFor()
  })

  it('An owner invites people by a list of addresses, renews a link and revokes an invitation (SHR-21)', async () => {
    await sharedProject('Invited', 'reviewer')
    await adasPage.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await adasPage.goto(pages.people('Invited'))
    await button('Invite people', adasPage).click()
    const dialog = adasPage.getByRole('dialog')
    await dialog.getByLabel('E-mail addresses').fill('carl@example.org; mistyped, dora@example.org')
    await dialog.getByLabel('Message').fill('We begin on Monday.')
    await dialog.getByText('Not an e-mail address: mistyped').waitFor()
    await button('Remove mistyped', dialog).click()
    await dialog.getByText('2 invitations').waitFor()
    // A refusal names the person, and the form for anyone with the link has no refusal.
    await dialog.getByLabel('E-mail addresses').fill('ben@example.org,')
    await button('Create link', dialog).click()
    await dialog.getByRole('alert').getByText('ben@example.org is already in the project.').waitFor()
    await dialog.getByRole('checkbox', { name: 'Anyone with the link' }).click()
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await dialog.getByRole('checkbox', { name: 'Anyone with the link' }).click()
    await button('Remove ben@example.org', dialog).click()
    expect(await accessibilityProblems(adasPage)).toEqual([])
    // This server sends no e-mail, so the dialog shows the links.
    await button('Create link', dialog).click()
    const link = await dialog.getByRole('textbox', { name: 'Link for carl@example.org' }).inputValue()
    expect(link).toMatch(/^http.*\/invitations\/[\w-]+$/)
    await button('Copy link for carl@example.org', dialog).click()
    await notice(adasPage, 'Link copied')
    expect(await adasPage.evaluate(() => navigator.clipboard.readText())).toBe(link)
    await button('Done', dialog).click()
    await row(adasPage, 'dora@example.org').getByText('7 days left').waitFor()
    await button('Copy new link for carl@example.org', adasPage).click()
    await notice(adasPage, 'New link copied')
    expect(await adasPage.evaluate(() => navigator.clipboard.readText())).not.toBe(link)
    await button('Revoke the invitation of carl@example.org', adasPage).click()
    await button('Revoke', adasPage.getByRole('alertdialog')).click()
    await row(adasPage, 'carl@example.org').waitFor({ state: 'detached' })
    expect(await row(adasPage, 'dora@example.org').count()).toBe(1)
    expect(await accessibilityProblems(adasPage)).toEqual([])
  })

  it('A removed member loses the open project at once (SHR-20, SHR-31)', async () => {
    await sharedProject('Removed', 'editor')
    await bensPage.goto(pages.overview('Removed'))
    await bensPage.getByRole('heading', { name: 'Removed', level: 1 }).waitFor()
    await adasPage.goto(pages.people('Removed'))
    await button('Remove ben', adasPage).click()
    await button('Remove', adasPage.getByRole('alertdialog')).click()
    await notice(adasPage, 'ben was removed')
    await bensPage.getByRole('heading', { name: 'Project not found' }).waitFor()
    await row(adasPage, 'ben').waitFor({ state: 'detached' })
    expect(await row(adasPage, 'ada').count()).toBe(1)
  })

  it('The last owner transfers the project before leaving it (SHR-24)', async () => {
    await sharedProject('Transferred', 'editor')
    await adasPage.goto(pages.people('Transferred'))
    const leave = async () => {
      await button('Leave project', adasPage).click()
      await button('Leave project', adasPage.getByRole('alertdialog')).click()
    }
    await leave()
    await notice(adasPage, 'Make someone else owner before you leave.')
    await button('Transfer project', adasPage).click()
    await adasPage.getByRole('combobox', { name: 'New owner' }).click()
    await adasPage.getByRole('option', { name: 'ben' }).click()
    expect(await accessibilityProblems(adasPage)).toEqual([])
    await button('Make owner', adasPage).click()
    await notice(adasPage, 'ben is the owner')
    await leave()
    await adasPage.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    await bensPage.goto(pages.people('Transferred'))
    await row(bensPage, 'ben').getByText('Owner').waitFor()
    expect(await row(bensPage, 'ada').count()).toBe(0)
  })

  it('The deletion of an account asks for the new owner of each shared project (SHR-34)', async () => {
    const id = await sharedProject('Inherited', 'editor')
    const zoe = await signUp(server.url, { email: 'zoe@example.org' })
    const join = "insert into project_members (project_id, user_id, role) values ($1, $2, 'owner')"
    await inDatabase(server, join, [id, zoe.userId])
    await ada.json(api.projectTransfer(id), { body: { user_id: zoe.userId } })
    await ada.json(api.projectMember(id, ada.userId), { method: 'PATCH', body: { role: 'viewer' } })
    const { page } = await signedInPage(browser, zoe)
    await page.goto(pages.profile())
    await button('Delete account', page).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(zoe.password)
    expect(await button('Delete account', dialog).isDisabled()).toBe(true)
    await dialog.getByRole('combobox', { name: 'New owner of “Inherited”' }).click()
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual(['ben\n\nEditor', 'ada\n\nViewer', 'Delete the project'])
    await page.getByRole('option', { name: 'ben' }).click()
    await button('Delete account', dialog).click()
    await notice(page, 'Account deleted')
    await bensPage.goto(pages.overview('Inherited'))
    await bensPage.getByText('ben is now the owner of “Inherited”.').waitFor()
  })

  it('The list of people fits a narrow screen (SHR-20)', async () => {
    await sharedProject('Narrow', 'reviewer')
    await adasPage.goto(pages.people('Narrow'))
    await row(adasPage, 'ben').waitFor()
    for (const width of [800, 390]) {
      await adasPage.setViewportSize({ width, height: 844 })
      expect(await adasPage.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    expect(await accessibilityProblems(adasPage)).toEqual([])
    await button('Open menu', adasPage).click()
    await adasPage.getByRole('dialog').getByRole('link', { name: 'People' }).waitFor()
  })
})
