import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, newPage, openBrowser, type TestPage } from '#tests/helpers/browser.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'
import { linkIn, startSmtpServer } from '#tests/helpers/smtp-server.ts'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let server: TestServer
let browser: Browser
let on: TestPage
beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await startServer({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'room@example.org' } })
  browser = await openBrowser()
  on = await newPage(browser, { baseURL: server.url })
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await smtp.stop()
})

const GRACE = 'grace@example.org'
const button = (name: string) => on.page.getByRole('button', { name, exact: true })
const notice = (words: string) => on.page.getByRole('region', { name: 'Notifications' }).getByText(words).waitFor()
const enter = async (password: string) => {
  await on.page.goto('/auth')
  await on.page.getByLabel('Email').fill(GRACE)
  await on.page.getByLabel('Password', { exact: true }).fill(password)
  await button('Sign In').click()
}

describe('confirmation and recovery by e-mail', () => {
  it('A new account has to confirm its address, and can sign in afterwards (AUTH-08, MSG-23)', async () => {
    const { page } = on
    await page.goto('/auth')
    // Without an account the screen shows the sign-up with an explanation.
    await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor()
    await page.getByText('The first account becomes the administrator.').waitFor()
    await page.getByLabel('Email').fill(GRACE)
    await page.getByLabel('Password', { exact: true }).fill('the first password')
    await button('Sign Up').click()
    await notice('Please check your email for the confirmation link.')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await page.getByText('The first account becomes the administrator.').waitFor({ state: 'detached' })
    await enter('the first password')
    await notice('Confirm your e-mail address first')
    // The link asks for the password of the sign-up, because another user may have signed up with this address.
    await page.goto(linkIn(await smtp.mailTo(GRACE)))
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor()
    await page.getByText(GRACE, { exact: true }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Confirm and sign in').click()
    await page.getByText('Enter your password', { exact: true }).waitFor()
    await page.getByLabel('Password', { exact: true }).fill('of another user')
    await button('Confirm and sign in').click()
    await page.getByText('The password is not right.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('the first password')
    await button('Confirm and sign in').click()
    await notice('Email confirmed')
    await page.waitForURL('**/projects')
    // The link of another account needs a sign-out.
    await page.goto('/auth/confirm?token=of-another-account')
    await page.getByRole('heading', { name: 'Log out first' }).waitFor()
    await page.getByText(`You are signed in as ${GRACE}.`).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Log out').click()
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor()
  })

  it('An expired confirmation link is refused, and the page offers a new password', async () => {
    await on.page.context().clearCookies()
    await on.page.goto('/auth/confirm?token=used')
    await on.page.getByRole('heading', { name: 'Confirm your email' }).waitFor()
    await on.page.getByLabel('Password', { exact: true }).fill('the first password')
    await button('Confirm and sign in').click()
    await on.page.getByText('This link has expired. Sign in to get a new one.').waitFor()
    await on.page.getByRole('link', { name: 'Set a new password' }).click()
    await on.page.getByRole('heading', { name: 'Forgot password?' }).waitFor()
    expect(new URL(on.page.url()).pathname).toBe('/auth/forgot')
  })

  it('A forgotten password is replaced by a new one, on the way to an invitation (AUTH-10)', async () => {
    const { page } = on
    const invitation = '/invitations/of-a-project-here-0000'
    await page.goto(invitation)
    const sentBefore = smtp.received.length
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('heading', { name: 'Forgot password?' }).waitFor()
    await page.getByLabel('Email').fill('grace')
    await button('Send the link').click()
    await page.getByText('Enter a complete email address').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByLabel('Email').fill(GRACE)
    await button('Send the link').click()
    await page.getByRole('status').filter({ hasText: 'a link to choose a new password was sent' }).waitFor()
    await page.goto(linkIn(await smtp.mailTo(GRACE, sentBefore + 1)))
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await page.getByLabel('New password').fill('short')
    await button('Save password').click()
    await expect.poll(() => page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true')
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByLabel('New password').fill('the second password')
    await button('Save password').click()
    await notice('Password changed')
    await page.getByLabel('Email').fill(GRACE)
    await page.getByLabel('Password', { exact: true }).fill('the second password')
    await button('Sign In').click()
    await page.getByRole('heading', { name: 'This invitation is no longer valid. Ask for a new one.' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(invitation)
  })

  it('The reset page shows the error of the server if the password is not saved, and offers a new link for a used one', async () => {
    const { page } = on
    await page.context().clearCookies()
    await page.goto('/auth/reset?token=used')
    await page.getByLabel('New password').fill('a third password')
    const path = `**${api.resetPassword()}`
    const error = { code: 'too_many', message: 'Too many requests. Please try again later.' }
    await page.route(path, (route) => route.fulfill({ status: 429, json: { error } }))
    await button('Save password').click()
    await page.getByText(error.message).waitFor()
    expect(await page.getByText('This link has been used').count()).toBe(0)
    await page.unroute(path)
    await button('Save password').click()
    await page.getByText('This link has been used or has expired. Ask for a new one.').waitFor()
    await page.getByRole('link', { name: 'Ask for a new link' }).click()
    await page.getByRole('heading', { name: 'Forgot password?' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/auth/forgot')
    const policy = on.problems.filter((problem) => !problem.includes('Failed to load resource'))
    expect(policy).toEqual([])
  })
})
