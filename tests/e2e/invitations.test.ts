import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SentInvitation } from '#shared/contract/invitations.ts'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, newPage, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { addressOf, type Client, signUp, startServer } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let ada: Client
let project: string
beforeAll(async () => {
  ada = await signUp(server.url, { email: addressOf('ada') })
  const body = { name: 'Sleep and memory', research_question: 'Do naps help older adults?' }
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body })).data.id
  browser = await openBrowser()
})
afterAll(() => closeContexts(browser))

const PASSWORD = 'correct horse battery'
const invite = async (body: object) =>
  (await ada.json<{ data: SentInvitation[] }>(api.projectInvitations(project), { body })).data[0]!.link
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const enter = async (page: Page, email: string, name: 'Sign In' | 'Sign Up') => {
  const panel = page.getByRole('tabpanel', { name })
  await panel.getByLabel('Email').fill(email)
  await panel.getByLabel('Password').fill(PASSWORD)
  await panel.getByRole('button', { name, exact: true }).click()
}

it('A new user signs up by the link of an invitation, accepts it, and sees the project of its owner (SHR-22)', async () => {
  const address = addressOf('ben')
  const link = await invite({ emails: [address], role: 'editor', message: 'We screen titles.' })
  const { page, problems } = await newPage(browser, { baseURL: server.url })
  await page.goto(link)
  await page.getByText('Sign in or create an account to open the invitation.').waitFor()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await enter(page, address, 'Sign Up')
  await page.getByText('You can sign in now.').waitFor()
  await enter(page, address, 'Sign In')
  await page.getByRole('heading', { name: 'ada invites you to “Sleep and memory” as an editor' }).waitFor()
  expect(page.url()).toBe(link)
  for (const text of ['Do naps help older adults?', '0 papers, 1 person', 'We screen titles.'])
    await page.getByText(text).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.setViewportSize({ width: 1280, height: 800 })
  await button(page, 'Accept').click()
  await page.getByText('You are a member of “Sleep and memory” now.').waitFor()
  await page.waitForURL('**/Sleep%20and%20memory/overview')
  expect(problems).toEqual([])

  const owner = await signedInPage(browser, ada)
  for (const one of [page, owner.page]) {
    await one.goto('/projects')
    await one.getByRole('link', { name: 'Sleep and memory', exact: true }).waitFor()
  }
  // The link worked once.
  await page.goto(link)
  await page.getByRole('heading', { name: 'This invitation is no longer valid. Ask for a new one.' }).waitFor()
})

it('An invitation for another address opens the sign-in with another account, which returns to the invitation (SHR-22)', async () => {
  const eve = await signUp(server.url)
  const zoe = await signUp(server.url)
  const link = await invite({ emails: [zoe.email], role: 'reviewer' })
  const { page } = await signedInPage(browser, eve)
  await page.goto(link)
  await page.getByRole('heading', { name: 'This invitation is for another e-mail address.' }).waitFor()
  await page.getByText(`You are signed in as ${eve.email}.`).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await button(page, 'Sign in with another account').click()
  await enter(page, zoe.email, 'Sign In')
  await page.getByRole('heading', { name: 'ada invites you to “Sleep and memory” as a reviewer' }).waitFor()
  await button(page, 'Decline').click()
  await page.getByText('Invitation declined').waitFor()
  expect(await inDatabase(server, 'select id from invitations where email = $1', [zoe.email])).toEqual([])
})

it('The page of an invitation reports on Accept that the invitation was revoked meanwhile (SHR-22)', async () => {
  const zoe = await signUp(server.url)
  const link = await invite({ emails: [zoe.email], role: 'reviewer' })
  const { page } = await signedInPage(browser, zoe)
  await page.goto(link)
  await button(page, 'Accept').waitFor()
  await inDatabase(server, 'delete from invitations where email = $1', [zoe.email])
  await button(page, 'Accept').click()
  await page.getByRole('heading', { name: 'This invitation is no longer valid. Ask for a new one.' }).waitFor()
  expect(await button(page, 'Accept').count()).toBe(0)
})

it('An installation for invited users shows the sign-up only with the link of an invitation (SHR-22)', async () => {
  const invited = await startServer({ env: { SIGN_UP: 'invited' } })
  try {
    const { page } = await newPage(browser, { baseURL: invited.url })
    await page.goto('/auth')
    await page.getByText('The operator creates the first one on the server').waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
    await page.goto('/invitations/of-a-project-here-0000')
    await page.getByText('Sign in or create an account to open the invitation.').waitFor()
    expect(await page.getByText('The first account becomes the administrator.').count()).toBe(0)
    await enter(page, 'ben@example.org', 'Sign Up')
    await page.getByText('Sign up with the link of an invitation, and with').first().waitFor()
  } finally {
    await invited.stop()
  }
})
