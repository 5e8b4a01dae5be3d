import { describe, expect, it } from 'vitest'
import { isTest, type SourceFile, sourceFiles, stylesheets } from './source-files.ts'
import { brokenStyles } from './style-laws.ts'

const component = (text: string, path = 'web/chat/turn.tsx'): SourceFile => ({ path, text })
const sheet = (text: string, path = 'web/chat/chat.module.css'): SourceFile => ({ path, text })
const USE = component("import styles from './chat.module.css'\nexport const look = styles.question")

describe('the style laws', () => {
  it('The style laws hold in every stylesheet and component', () => {
    const sheets = stylesheets()
    expect(sheets.length).toBeGreaterThan(20)
    expect(
      brokenStyles(
        sheets,
        sourceFiles('web').filter(({ path }) => !isTest(path)),
      ),
    ).toEqual([])
  })
})

describe('the style laws on samples', () => {
  it('A module with one used class breaks no law', () => {
    expect(brokenStyles([sheet('@layer components { .question { color: red; } }')], [USE])).toEqual([])
  })

  it('A global stylesheet in a room is refused', () => {
    expect(brokenStyles([sheet('.question { color: red; }', 'web/chat/chat.css')], [])).toEqual([
      expect.stringContaining('web/chat/chat.css: a stylesheet is a CSS module'),
      'web/chat/chat.css: the class question is global',
    ])
  })

  it('A module that names a global class is refused', () => {
    const text = '@layer components { .question :global(.button) { color: red; } }'
    expect(brokenStyles([sheet(text)], [USE])).toEqual(['web/chat/chat.module.css: the class button is global'])
  })

  it('Rules outside the layer of the folder are refused', () => {
    expect(brokenStyles([sheet('.question { color: red; }')], [USE])).toEqual([
      expect.stringContaining('its rules are in the layer components'),
    ])
  })

  it('A name of two letters is refused', () => {
    const use = component("import styles from './chat.module.css'\nexport const look = styles.pl")
    expect(brokenStyles([sheet('@layer components { .pl { color: red; } }')], [use])).toEqual([
      'web/chat/chat.module.css: the class pl has no descriptive name',
    ])
  })

  it("A file name such as 'citation-styles.ts' is not a use of a class", () => {
    const use = component(
      "import { FIRST } from './citation-styles.ts'\nimport styles from './chat.module.css'\nexport const look = styles.answer",
    )
    expect(brokenStyles([sheet('@layer components { .answer { color: red; } }')], [use])).toEqual([])
  })

  it('A class without a rule and a rule without a use are refused', () => {
    expect(brokenStyles([sheet('@layer components { .answer { color: red; } }')], [USE])).toEqual([
      'web/chat/chat.module.css: the class question has no rule',
      'web/chat/chat.module.css: no component uses the class answer',
    ])
  })

  it('The module of another folder is refused', () => {
    const use = component(
      "import styles from '#web/chat/chat.module.css'\nexport const look = styles.question",
      'web/feeds/a.tsx',
    )
    expect(brokenStyles([sheet('@layer components { .question { color: red; } }')], [use])).toEqual([
      expect.stringContaining('web/feeds/a.tsx: web/chat/chat.module.css belongs to another folder'),
    ])
  })
})
