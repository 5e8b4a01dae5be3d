import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartedFactor, VerifiedFactor } from '#shared/contract/accounts.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'
import { linkIn, startSmtpServer } from '#tests/helpers/smtp-server.ts'
import { codeFor } from '#tests/helpers/totp.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT: 'on' } })
})
afterAll(() => server.stop())

let addresses = 0
/** Returns the headers of a request with a new client address, which the trusted proxy reports. */
const from = () => ({ 'x-forwarded-for': `198.18.${++addresses >> 8}.${addresses & 255}` })

/** A simulated browser that stores cookies and sends them. */
class Browser {
  readonly #jar = new Map<string, string>()
  readonly #url: string
  constructor(url = server.url) {
    this.#url = url
  }

  async post(path: string, body: unknown) {
    const cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'content-type': 'application/json', origin: this.#url, cookie, ...from() }
    const answer = await fetch(this.#url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    for (const pair of answer.headers.getSetCookie().map((one) => one.split(';')[0]!)) {
      const at = pair.indexOf('=')
      this.#jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }

  signIn = (email: string, password: string) => this.post(api.signIn(), { email, password })
  get device() {
    return this.#jar.get('lectern.device') ?? ''
  }
  set device(value: string) {
    this.#jar.set('lectern.device', value)
  }
}

const PASSWORD = 'correct horse battery'
/** Creates an account by a sign-up from a new client address. */
async function newcomer() {
  const email = `${crypto.randomUUID()}@example.org`
  const answer = await new Browser().post(api.signUp(), { email, password: PASSWORD })
  const { user } = (await answer.json()) as { user: { id: string } }
  return { email, password: PASSWORD, userId: user.id }
}

/** Signs in `count` times with a wrong password, each time from a new address and without cookies. Returns the statuses. */
const attack = async (email: string, count: number, at = server) => {
  const tries = Array.from({ length: count }, () => new Browser(at.url).signIn(email, 'not the password'))
  return (await Promise.all(tries)).map(({ status }) => status)
}
const howMany = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

describe('a browser that has signed in before', () => {
  it('A known browser is not locked out by wrong passwords of other clients, which get no more tries for it', async () => {
    const ada = await newcomer()
    const own = new Browser()
    expect((await own.signIn(ada.email, ada.password)).status).toBe(200)
    expect(howMany(await attack(ada.email, 25), 401)).toBe(20)
    expect((await new Browser().signIn(ada.email, ada.password)).status).toBe(429)
    expect((await own.post(api.signOut(), {})).status).toBe(200)
    expect((await own.signIn(` ${ada.email.toUpperCase()}`, 'mistyped')).status).toBe(401)
    expect((await own.signIn(ada.email, ada.password)).status).toBe(200)
    // A successful sign-in does not reset the count of other browsers.
    expect(howMany(await attack(ada.email, 3), 401)).toBe(0)
  })

  it('A known browser locks only itself by its own wrong passwords', async () => {
    const bea = await newcomer()
    const [stolen, other] = [new Browser(), new Browser()]
    await stolen.signIn(bea.email, bea.password)
    await other.signIn(bea.email, bea.password)
    const statuses: number[] = []
    for (let n = 0; n < 22; n++) statuses.push((await stolen.signIn(bea.email, 'a guess')).status)
    expect([howMany(statuses, 401), howMany(statuses, 429)]).toEqual([20, 2])
    expect((await stolen.signIn(bea.email, bea.password)).status).toBe(429)
    expect((await other.signIn(bea.email, bea.password)).status).toBe(200)
    expect((await new Browser().signIn(bea.email, bea.password)).status).toBe(200)
  })

  it.runIf(IS_LONG_RUN)(
    'A known browser is unknown for another account, with a changed cookie or under another secret',
    async () => {
      const [carl, dora] = [await newcomer(), await newcomer()]
      const own = new Browser()
      await own.signIn(carl.email, carl.password)
      const { device } = own
      await attack(carl.email, 20)
      await attack(dora.email, 20)
      expect((await own.signIn(dora.email, dora.password)).status).toBe(429)
      const [nonce, signature] = device.split('.')
      const changed = [`${nonce}.${signature!.replace(/.$/, '')}`, `x${nonce}.${signature}`, `${nonce}.`, '~~', '.']
      // A cookie with additional characters must not be accepted.
      for (const made of [...changed, `${device}.1`, `${device}.`]) {
        own.device = made
        expect([made, (await own.signIn(carl.email, carl.password)).status]).toEqual([made, 429])
      }
      own.device = device
      expect((await own.signIn(carl.email, carl.password)).status).toBe(200)
      // The cookie names no user and gives no access.
      for (const secret of [carl.userId, carl.email]) expect(device).not.toContain(secret)
      const headers = { cookie: `lectern.device=${device}; lectern.session_token=${device}` }
      expect((await fetch(server.url + api.projects(), { headers })).status).toBe(401)
    },
  )

  it.runIf(IS_LONG_RUN)('A known browser is known for five accounts at most', async () => {
    const fay = await newcomer()
    const own = new Browser()
    own.device = Array.from({ length: 30 }, (_, n) => `${n}.of-another-account`).join('~')
    expect((await own.signIn(fay.email, fay.password)).status).toBe(200)
    // Each account has one mark for its password and one for its codes.
    const marks = own.device.split('~')
    expect([marks.length, marks[1]]).toEqual([10, '0.of-another-account'])
    await attack(fay.email, 20)
    expect((await own.signIn(fay.email, fay.password)).status).toBe(200)
  })

  it.runIf(IS_LONG_RUN)('A known browser is unknown after a change of the password elsewhere', async () => {
    const eve = await newcomer()
    const [before, changing] = [new Browser(), new Browser()]
    await before.signIn(eve.email, eve.password)
    await changing.signIn(eve.email, eve.password)
    const change = { currentPassword: eve.password, newPassword: 'another battery' }
    expect((await changing.post(api.changePassword(), change)).status).toBe(200)
    await attack(eve.email, 20)
    expect((await before.signIn(eve.email, 'another battery')).status).toBe(429)
    expect((await changing.signIn(eve.email, 'another battery')).status).toBe(200)
  })
})

describe('the codes of a second factor', () => {
  const answer = async (as: Browser, factorId: string, code: string) => {
    const asked = await as.post(api.factorChallenge(factorId), {})
    const { data } = (await asked.json()) as { data: { id: string } }
    return as.post(api.factorVerify(factorId), { code, challenge_id: data.id })
  }

  it('The codes of a second factor are accepted from a known browser, although other clients have locked the factor', async () => {
    const { email, password } = await newcomer()
    const own = new Browser()
    await own.signIn(email, password)
    const started = await own.post(api.factors(), { factor_type: 'totp' })
    const { data: factor } = (await started.json()) as { data: StartedFactor }
    const first = await answer(own, factor.id, codeFor(factor.totp.secret))
    const { data } = (await first.json()) as { data: VerifiedFactor }
    const codes = data.backup_codes!

    // The attacker knows the password. The browser has sent the right password and no code.
    const thief = new Browser()
    await thief.signIn(email, password)
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await answer(thief, factor.id, 'WRONG-WRONG')).status)
    expect([howMany(statuses, 422), howMany(statuses, 429)]).toEqual([9, 3])
    const fresh = new Browser()
    await fresh.signIn(email, password)
    expect((await answer(fresh, factor.id, codes[0]!)).status).toBe(429)

    expect((await own.signIn(email, password)).status).toBe(200)
    expect((await answer(own, factor.id, codes[0]!)).status).toBe(200)
    // The factor stays locked for other browsers. The user's own browser has ten tries, as every browser.
    expect((await answer(fresh, factor.id, codes[1]!)).status).toBe(429)
    await own.signIn(email, password)
    const tries: number[] = []
    for (let n = 0; n < 11; n++) tries.push((await answer(own, factor.id, 'WRONG-WRONG')).status)
    expect([howMany(tries, 422), howMany(tries, 429)]).toEqual([10, 1])
  })
})

describe('a recovery', () => {
  it.runIf(IS_LONG_RUN)('A recovery lets its browser sign in although others have locked the account', async () => {
    const smtp = await startSmtpServer()
    const mailing = await startServer({
      env: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT: 'on', SMTP_URL: smtp.url, MAIL_FROM: 'room@example.org' },
    })
    try {
      const own = new Browser(mailing.url)
      const email = 'grace@example.org'
      await own.post(api.signUp(), { email, password: 'the first password' })
      await inDatabase(mailing, 'update "user" set email_verified = true')
      await smtp.mailTo(email)
      expect(howMany(await attack(email, 22, mailing), 401)).toBe(20)
      await own.post(api.requestPasswordReset(), { email })
      const token = new URL(linkIn(await smtp.mailTo(email, 2))).searchParams.get('token')
      expect((await own.post(api.resetPassword(), { token, newPassword: 'the second password' })).status).toBe(200)
      expect((await new Browser(mailing.url).signIn(email, 'the second password')).status).toBe(429)
      expect((await own.signIn(email, 'the second password')).status).toBe(200)
    } finally {
      await mailing.stop()
      await smtp.stop()
    }
  })
})
