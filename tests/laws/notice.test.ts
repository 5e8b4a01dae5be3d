import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CITEPROC } from '#shared/contract/citations.ts'

interface Lock {
  packages: Record<string, { version?: string; license?: string; dev?: boolean }>
}
interface NoticeModule {
  noticeText: (lock: Lock, readNotice: (path: string) => string | null) => string
  PARTS: { name: string; licence: string; from: string; text?: string }[]
}

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const { noticeText, PARTS } = (await import(at('bin/prepare/notice.mjs'))) as NoticeModule
const lock = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')) as Lock
const readNotice = (path: string) =>
  existsSync(at(`${path}/NOTICE`)) ? readFileSync(at(`${path}/NOTICE`), 'utf8') : null

describe('NOTICE', () => {
  it('NOTICE lists the shipped packages; `npm run notice` writes it', () => {
    expect(readFileSync(at('NOTICE'), 'utf8')).toBe(noticeText(lock, readNotice))
  })

  it('NOTICE names parts of shipped packages with existing licence texts', () => {
    for (const { from, text } of PARTS) {
      const found = lock.packages[`node_modules/${from}`]
      expect([from, found !== undefined && !found.dev]).toEqual([from, true])
      if (text) expect([text, existsSync(at(`node_modules/${from}/${text}`))]).toEqual([text, true])
    }
  })

  it('NOTICE has the notice of citeproc-js, its licence and the address of the installed source (FMT-64)', () => {
    const text = readFileSync(at('NOTICE'), 'utf8')
    const { version } = lock.packages['node_modules/citeproc']!
    expect(CITEPROC.source.address).toBe(`https://registry.npmjs.org/citeproc/-/citeproc-${version}.tgz`)
    expect(CITEPROC.source.label).toContain(version)
    for (const part of [CITEPROC.notice, CITEPROC.source.address, 'Common Public Attribution License Version 1.0'])
      expect(text).toContain(part)
  })

  it('NOTICE changes with a shipped package, not with a development dependency', () => {
    const added = (one: object) => ({ packages: { ...lock.packages, 'node_modules/new-package': one } }) as Lock
    const now = noticeText(lock, () => null)
    expect(noticeText(added({ version: '1.0.0', license: 'MIT' }), () => null)).toContain('new-package 1.0.0')
    expect(noticeText(added({ version: '1.0.0', license: 'MIT', dev: true }), () => null)).toBe(now)
    expect(noticeText(added({ version: '1.0.0', license: 'MIT' }), () => 'Made by Ada\r\n')).toContain('Made by Ada')
  })
})
