import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A received e-mail: the recipient, and the whole message after decoding of quoted-printable text. */
export interface Received {
  to: string
  message: string
}

/** Starts a mail server on loopback that stores the received e-mails. */
export async function startSmtpServer(port = 0) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
        received.push({ to, message: decodeQuotedPrintable(Buffer.concat(parts).toString('utf8')) })
        done()
      })
    },
  })
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  const address = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    /** Waits until `count` e-mails to an address have arrived and returns the newest one. Throws after 90 s. */
    async mailTo(to: string, count = 1): Promise<Received> {
      for (let n = 0; n < 900; n++) {
        const found = received.filter((mail) => mail.to === to)
        if (found.length >= count) return found.at(-1)!
        await new Promise((resume) => setTimeout(resume, 100))
      }
      throw new Error(`No e-mail ${count} to ${to} within 90 s.`)
    },
    stop: () => new Promise<void>((done) => server.close(() => done())),
  }
}

/** Returns the link in the plain text part of an e-mail. */
export function linkIn(mail: Received): string {
  const link = /^https?:\/\/\S+$/m.exec(mail.message)?.[0]
  if (!link) throw new Error(`No link in:\n${mail.message}`)
  return link
}

function decodeQuotedPrintable(text: string): string {
  return text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\r\n/g, '\n')
}
