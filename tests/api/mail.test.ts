import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { freePort, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { linkIn, startSmtpServer } from '#tests/helpers/smtp-server.ts'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let server: TestServer
beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await startServer({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'Room <room@example.org>', PRODUCT_NAME: 'Reading Room' },
  })
})
afterAll(async () => {
  await server.stop()
  await smtp.stop()
})

const PASSWORD = 'correct horse battery'
const post = (path: string, body: unknown, at = server) =>
  fetch(at.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const join = (email: string, at = server) => post(api.signUp(), { email, password: PASSWORD }, at)
const confirm = (link: string, password: string) =>
  post(api.verifyEmail(), { token: new URL(link).searchParams.get('token'), password })

describe('with SMTP', () => {
  it('A sign-up sends a confirmation link, and the sign-in is refused until it has been used (AUTH-08)', async () => {
    expect((await join('ada@example.org')).status).toBe(200)
    const mail = await smtp.mailTo('ada@example.org')
    expect(mail.message).toContain('From: Room <room@example.org>')
    expect(mail.message).toContain('Confirm your e-mail address for Reading Room')
    expect(mail.message).toContain('Content-Type: text/html')
    const refused = await post(api.signIn(), { email: 'ada@example.org', password: PASSWORD })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      error: { message: 'Confirm your e-mail address first: a new link was sent to you.' },
    })
    const link = new URL(linkIn(await smtp.mailTo('ada@example.org', 2)))
    expect(link.pathname).toBe('/auth/confirm')
    const confirmed = await confirm(link.href, PASSWORD)
    expect([confirmed.status, await confirmed.json()]).toMatchObject([200, { user: { email: 'ada@example.org' } }])
    expect(confirmed.headers.get('set-auth-token')).toBeTruthy()
    await signIn(server.url, { email: 'ada@example.org', password: PASSWORD })
  })

  it('A confirmation link gives no access without a password, nor with the password of another user who created the account', async () => {
    await join('victim@example.org')
    const link = linkIn(await smtp.mailTo('victim@example.org'))
    const refused = async () => (await post(api.signIn(), { email: 'victim@example.org', password: PASSWORD })).status
    // The user of the mailbox opens the link. A link of an earlier version works, too.
    expect((await fetch(link)).status).toBe(200)
    const earlier = await fetch(link.replace('/auth/confirm', '/auth/v1/verify-email'), { redirect: 'manual' })
    expect([earlier.status, server.url + earlier.headers.get('location')]).toEqual([302, link])
    expect(await refused()).toBe(403)
    const guess = await confirm(link, 'a password of my own')
    expect([guess.status, await guess.json()]).toMatchObject([
      422,
      { error: { message: 'The password is not right.' } },
    ])
    expect(await refused()).toBe(403)
    // A recovery proves the mailbox. It confirms the address and replaces the password of the other user.
    await post(api.requestPasswordReset(), { email: 'victim@example.org' })
    const recovery = new URL(linkIn(await smtp.mailTo('victim@example.org', 4)))
    const body = { token: recovery.searchParams.get('token'), newPassword: 'a password of my own' }
    expect((await post(api.resetPassword(), body)).status).toBe(200)
    expect(await refused()).toBe(401)
    await signIn(server.url, { email: 'victim@example.org', password: 'a password of my own' })
  })

  it('A confirmation e-mail contains no text of a user who signs up with the address of another user', async () => {
    const names = ['You won! https://evil.example', 'visit evil.example now', `a\r\nBcc: b@example.org`, '<b>Bob</b>']
    for (const [at, name] of names.entries()) {
      expect((await post(api.signUp(), { name, email: `v${at}@example.org`, password: PASSWORD })).status).toBe(200)
      const { message } = await smtp.mailTo(`v${at}@example.org`)
      expect(message).toContain('Hello,')
      expect(message).not.toMatch(/evil|Bcc|Bob/)
    }
    await post(api.signUp(), { name: 'Zoë O’Neil-Smith Jr.', email: 'zoe@example.org', password: PASSWORD })
    expect((await smtp.mailTo('zoe@example.org')).message).toMatch(/Hello Zo.+Smith Jr\.,/)
  })

  it('The sign-in reports an unconfirmed address only with the password, and an invalid link is refused', async () => {
    await join('eve@example.org')
    expect((await post(api.signIn(), { email: 'eve@example.org', password: 'a guess' })).status).toBe(401)
    const [head, payload] = new URL(linkIn(await smtp.mailTo('eve@example.org'))).searchParams.get('token')!.split('.')
    for (const made of ['abc', '', `${head}.${payload}.`, `${btoa('{"alg":"none"}')}.${payload}.`]) {
      const answer = await post(api.verifyEmail(), { token: made, password: PASSWORD })
      expect([made, answer.status, await answer.json()]).toMatchObject([
        made,
        400,
        { error: { message: 'This link has expired. Sign in to get a new one.' } },
      ])
    }
    expect((await post(api.signIn(), { email: 'eve@example.org', password: PASSWORD })).status).toBe(403)
  })

  it('A forgotten password is replaced by a link that works once and ends every session (AUTH-10)', async () => {
    await join('grace@example.org')
    await confirm(linkIn(await smtp.mailTo('grace@example.org')), PASSWORD)
    const before = await signIn(server.url, { email: 'grace@example.org', password: PASSWORD })
    expect((await post(api.requestPasswordReset(), { email: ' grace@example.org ' })).status).toBe(200)
    const link = new URL(linkIn(await smtp.mailTo('grace@example.org', 2)))
    expect(link.pathname).toBe('/auth/reset')
    const token = link.searchParams.get('token')
    const reset = (newPassword: string) => post(api.resetPassword(), { token, newPassword })
    // A copy of the database gives no access: it does not contain the token of the link.
    const rows = await inDatabase(server, 'select * from verification')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect((await reset('short')).status).toBe(400)
    expect((await reset('a new password')).status).toBe(200)
    expect((await before.fetch(api.projects())).status).toBe(401)
    expect((await reset('yet another one')).status).toBe(400)
    await expect(signIn(server.url, { email: 'grace@example.org', password: PASSWORD })).rejects.toThrow('401')
    await signIn(server.url, { email: 'grace@example.org', password: 'a new password' })
  })

  it('A recovery for an address without an account has the same answer, and sends no e-mail', async () => {
    await join('known@example.org')
    await smtp.mailTo('known@example.org')
    const known = await post(api.requestPasswordReset(), { email: 'known@example.org' })
    const unknown = await post(api.requestPasswordReset(), { email: 'unknown@example.org' })
    expect([unknown.status, await unknown.json()]).toEqual([known.status, await known.json()])
    await smtp.mailTo('known@example.org', 2)
    expect(smtp.received.some(({ to }) => to === 'unknown@example.org')).toBe(false)
    // A sign-up with the address of an account does not reveal that the account exists.
    expect((await join('known@example.org')).status).toBe((await join('new@example.org')).status)
  })

  it('A sign-up with the address of an account has the usual answer and sends an e-mail to the owner', async () => {
    const shapeOf = async (answer: Response) => {
      const { user, ...rest } = (await answer.json()) as { user: object }
      return { status: answer.status, fields: Object.keys(user), ...rest }
    }
    const fresh = await shapeOf(await join('twice@example.org'))
    const first = linkIn(await smtp.mailTo('twice@example.org'))
    // The address is not confirmed: the e-mail has another confirmation link, for the password of the first sign-up.
    expect(await shapeOf(await post(api.signUp(), { email: 'Twice@example.org', password: 'another one' }))).toEqual(
      fresh,
    )
    const again = await smtp.mailTo('twice@example.org', 2)
    expect(again.message).toContain('Forgot password?')
    const second = linkIn(again)
    expect(second.split('?')[0]).toBe(first.split('?')[0])
    expect((await confirm(second, 'another one')).status).toBe(422)
    expect((await confirm(second, PASSWORD)).status).toBe(200)

    expect(await shapeOf(await join('twice@example.org'))).toEqual(fresh)
    const { message } = await smtp.mailTo('twice@example.org', 3)
    expect(message).toContain('You have an account at Reading Room')
    expect(message).toContain(`${server.url}/auth`)
  })

  it('A sign-up with the address of an unconfirmed account without a password sends a notice, and a recovery works', async () => {
    const email = 'provider@example.org'
    await join(email)
    await smtp.mailTo(email)
    // The sign-in provider of an earlier version created such accounts.
    const ofUser = `user_id = (select id from "user" where email = $1)`
    await inDatabase(server, `update account set password = null, provider_id = 'oidc' where ${ofUser}`, [email])
    await join(email)
    const { message } = await smtp.mailTo(email, 2)
    expect(message).toContain('You have an account at Reading Room')
    expect(message).toContain('Forgot password?')
    await post(api.requestPasswordReset(), { email })
    const token = new URL(linkIn(await smtp.mailTo(email, 3))).searchParams.get('token')
    expect((await post(api.resetPassword(), { token, newPassword: PASSWORD })).status).toBe(200)
    await signIn(server.url, { email, password: PASSWORD })
  })

  it('An e-mail reports a bulk run that ended while no page was open, to users with the switch on (SET-03)', async () => {
    await join('mary@example.org')
    await confirm(linkIn(await smtp.mailTo('mary@example.org')), PASSWORD)
    const mary = await signIn(server.url, { email: 'mary@example.org', password: PASSWORD })
    const { data: project } = await mary.json<{ data: { id: string } }>(api.projects(), {
      body: { name: 'Sea & salt' },
    })
    const upload = async (name: string) =>
      (await mary.upload(project.id, new File([onePagePdf(['Tides'])], name, { type: 'application/pdf' }))).id
    const document_ids = [await upload('a.pdf'), await upload('b.pdf')]
    const run = async (force: boolean) => {
      const body = { document_ids, steps: ['extract'], force }
      const { data } = await mary.json<{ data: { id: string } }>(api.documentsProcess(), { body })
      expect((await mary.job(data.id)).status).toBe('completed')
    }
    await run(false)
    const mail = await smtp.mailTo('mary@example.org', 2)
    expect(mail.message).toContain('The processing of your 2 documents has finished. 2 are done.')
    expect(linkIn(mail)).toBe(`${server.url}/Sea%20%26%20salt~${project.id.slice(0, 4)}/documents`)
    // A user with an open page gets no e-mail, and neither does a user with the switch off.
    const leaving = new AbortController()
    const followed = await mary.fetch(api.events(), { signal: leaving.signal })
    await followed.body!.getReader().read()
    await run(true)
    leaving.abort()
    await mary.json(api.profile(mary.userId), { method: 'PATCH', body: { email_notifications: false } })
    await run(true)
    expect(await inDatabase(server, "select * from outbox where recipient = 'mary@example.org'")).toEqual([])
    expect(smtp.received.filter(({ to }) => to === 'mary@example.org')).toHaveLength(2)
  })

  it('An e-mail whose link has expired while the mail server was down is not sent', async () => {
    const port = await freePort()
    const other = await startServer({
      env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'room@example.org' },
    })
    try {
      for (const name of ['late', 'soon']) expect((await join(`${name}@example.org`, other)).status).toBe(200)
      // After a failed try, which sets the next one, and before that.
      const age = (email: string, hours: number) =>
        inDatabase(
          other,
          `update outbox set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
           where recipient = $1 and attempts > 0 and due_at between now() and now() + interval '1 minute' returning id`,
          [email, `${hours} hours`],
        )
      await expect.poll(() => age('late@example.org', 24)).toHaveLength(1)
      await expect.poll(() => age('soon@example.org', 23)).toHaveLength(1)
      const smtp = await startSmtpServer(port)
      await smtp.mailTo('soon@example.org')
      expect(smtp.received.map(({ to }) => to)).toEqual(['soon@example.org'])
      await expect.poll(() => inDatabase(other, 'select recipient from outbox')).toEqual([])
      await smtp.stop()
    } finally {
      await other.stop()
    }
  })

  it.runIf(IS_LONG_RUN)('An e-mail is not lost while the mail server is down, also over a restart', async () => {
    const port = await freePort()
    const other = await startServer({
      env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'room@example.org', METRICS_TOKEN: 'of-prometheus' },
    })
    const figures = async () =>
      (await fetch(`${other.url}/metrics`, { headers: { authorization: 'Bearer of-prometheus' } })).text()
    try {
      expect((await join('late@example.org', other)).status).toBe(200)
      await expect.poll(figures).toMatch(/^lectern_mail_tries_total\{outcome="failed"\} [1-9]/m)
      expect(await figures()).toMatch(/^lectern_mail_waiting 1$/m)
      await other.restart()
      const late = await startSmtpServer(port)
      expect(linkIn(await late.mailTo('late@example.org'))).toContain('/auth/confirm?token=')
      await expect.poll(figures).toMatch(/^lectern_mail_waiting 0$/m)
      expect(await figures()).toMatch(/^lectern_mail_tries_total\{outcome="sent"\} 1$/m)
      await late.stop()
    } finally {
      await other.stop()
    }
  })
})

describe('without SMTP', () => {
  it('A new account can sign in at once without SMTP, and there is no recovery (AUTH-09)', async () => {
    const plain = await startServer()
    try {
      await signUp(plain.url)
      const { data } = (await (await fetch(plain.url + api.site())).json()) as { data: { mail_enabled: boolean } }
      expect(data.mail_enabled).toBe(false)
      expect((await post(api.requestPasswordReset(), { email: 'a@example.org' }, plain)).status).toBe(501)
      // An administrator can create a link, which needs no e-mail.
      expect((await post(api.resetPassword(), { email: 'a@example.org' }, plain)).status).toBe(400)
    } finally {
      await plain.stop()
    }
  })
})
