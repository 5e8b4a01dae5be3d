import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { brokenImports, circleOfDoors, circleOfFiles, PLATFORM } from './import-laws.ts'
import { importsOf, isTest, sourceFiles } from './source-files.ts'

const ours = sourceFiles('server', 'web', 'shared')

describe('import laws', () => {
  it('The import laws hold in every file', () => {
    expect(ours.length).toBeGreaterThan(20)
    expect(brokenImports(ours)).toEqual([])
  })

  it('Doors have no import cycle', () => {
    expect(circleOfDoors(ours)).toBeNull()
  })

  it('Files have no import cycle, not even of types', () => {
    expect(circleOfFiles(ours)).toBeNull()
    const link = (from: string, to: string) => ({
      path: `web/chat/${from}.ts`,
      text: `import type { X } from './${to}.ts'`,
    })
    expect(circleOfFiles([link('a', 'b'), link('b', 'a')])).toBe('web/chat/a.ts -> web/chat/b.ts -> web/chat/a.ts')
  })
})

describe('ARCHITECTURE.md', () => {
  const page = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const listed = (side: 'server' | 'web') => {
    const block = page.slice(page.indexOf(`\n${side}/ `))
    return /^ {2}<rooms> +(.+)$/m.exec(block)?.[1]?.split(' ')
  }
  const folders = (side: string) => [
    ...new Set(
      ours
        .filter(({ path }) => path.startsWith(`${side}/`))
        .map(({ path }) => path.split('/'))
        .filter((parts) => parts.length > 2)
        .map((parts) => parts[1] ?? ''),
    ),
  ]

  it('ARCHITECTURE.md lists every room of the server', () => {
    const others = new Set([...PLATFORM, 'ai', 'external', 'guard'])
    expect(listed('server')).toEqual(
      folders('server')
        .filter((name) => !others.has(name))
        .toSorted(),
    )
  })

  it('ARCHITECTURE.md lists every room of the web app', () => {
    const others = new Set(['lib', 'public', 'routes', 'ui'])
    expect(listed('web')).toEqual(
      folders('web')
        .filter((name) => !others.has(name))
        .toSorted(),
    )
  })

  it('ARCHITECTURE.md names every exported function that sets a function of a module', () => {
    const setters = ours
      .filter(({ path, text }) => !isTest(path) && /^let /m.test(text))
      .flatMap(({ text }) => [...text.matchAll(/^export (?:const|function) (set[A-Z]\w*)/gm)].map(([, name]) => name))
    expect(setters.length).toBeGreaterThan(3)
    expect(setters.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  it('ARCHITECTURE.md lists every platform folder', () => {
    const line = /^ {2}<platform> (.+)$/m.exec(page)?.[1]?.replace(/\(.*?\) /, '')
    expect(line?.split(' ').toSorted()).toEqual(PLATFORM.toSorted())
  })
})

describe('import laws on samples', () => {
  const breaks: [file: string, code: string][] = [
    ['server/chat/service.ts', "import { find } from '#server/retrieval/queries.ts'"],
    ['server/chat/service.ts', "import { routes } from '#server/retrieval/routes.ts'"],
    ['server/chat/service.ts', "import { find } from '../vectors/index.ts'"],
    ['server/chat/service.ts', "export { ask } from '#server/chat/index.ts'"],
    ['server/mail/mail.ts', "import { chat } from '#server/chat/index.ts'"],
    ['server/chat/service.ts', "import { Chat } from '#web/chat/index.ts'"],
    ['server/chat/service.ts', "import '#tests/helpers/server.ts'"],
    ['server/admin-command.ts', "import { routes } from '#server/profiles/routes.ts'"],
    ['web/chat/ask.tsx', "import { ask } from '#server/chat/index.ts'"],
    ['web/chat/ask.tsx', "import type { Answer } from '#server/chat/service.ts'"],
    ['web/chat/ask.tsx', "import { Reader } from '#web/reader/pdf-reader.tsx'"],
    ['web/ui/button.tsx', "import { api } from '#web/lib/api.ts'"],
    ['web/routes/index.tsx', "import { Card } from '#web/projects/project-card.tsx'"],
    ['shared/contract/chat.ts', "import { format } from 'date-fns'"],
    ['shared/contract/chat.ts', "import type { Tx } from '#server/db/client.ts'"],
  ]
  it.each(breaks)('The import laws report %s with: %s', (path, text) => {
    expect(brokenImports([{ path, text }])).toHaveLength(1)
  })

  const keeps: [file: string, code: string][] = [
    ['server/chat/service.ts', "import { find } from './queries.ts'"],
    ['server/ai/builtin/answer.ts', "import { limits } from '../limits.ts'"],
    ['server/chat/service.ts', "import { search } from '#server/retrieval/index.ts'"],
    ['server/chat/queries.ts', "import { chunks } from '#server/db/tables/chunks.ts'"],
    ['server/app.ts', "import { routes } from './chat/routes.ts'"],
    ['server/main.ts', "import { handlers } from '#server/chat/jobs.ts'"],
    ['web/lib/api.ts', "import type { AppType } from '#server/app.ts'"],
    ['web/routes/index.tsx', "import { ProjectList } from '#web/projects/index.ts'"],
    ['shared/contract/chat.ts', "import { z } from 'zod'\nimport { passage } from './passages.ts'"],
  ]
  it.each(keeps)('The import laws accept %s with: %s', (path, text) => {
    expect(importsOf({ path, text }).length).toBeGreaterThan(0)
    expect(brokenImports([{ path, text }])).toEqual([])
  })

  it('The cycle law reports a cycle of three rooms', () => {
    const link = (from: string, to: string) => ({
      path: `server/${from}/service.ts`,
      text: `import { x } from '#server/${to}/index.ts'`,
    })
    expect(circleOfDoors([link('a', 'b'), link('b', 'c'), link('c', 'a')])).toBe(
      'server/a -> server/b -> server/c -> server/a',
    )
    expect(circleOfDoors([link('a', 'b'), link('b', 'c'), link('a', 'c')])).toBeNull()
  })
})
