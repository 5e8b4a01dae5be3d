import { describe, expect, it } from 'vitest'
import { textRuns } from './text-runs.ts'
import { writeMarkdown } from './write-markdown.ts'

describe('textRuns', () => {
  it.each([
    ['A &amp; B', [{ text: 'A & B' }]],
    [
      '<div class="csl-entry">In <i>Sleep</i>, <b>4</b>.</div>',
      [{ text: 'In ' }, { text: 'Sleep', italic: true }, { text: ', ' }, { text: '4', bold: true }, { text: '.' }],
    ],
    [
      '<i>H<sub>2</sub>O</i>',
      [
        { text: 'H', italic: true },
        { text: '2', italic: true, position: 'sub' },
        { text: 'O', italic: true },
      ],
    ],
    [
      '<div class="csl-entry"><div class="csl-left-margin">[Mar25]</div><div class="csl-right-inline">Naps.</div></div>',
      [{ text: '[Mar25]' }, { text: ' Naps.' }],
    ],
    ['&#38; &#x26; &unknown;', [{ text: '& & &unknown;' }]],
  ])('textRuns reads %j', (html, runs) => {
    expect(textRuns(html)).toEqual(runs)
  })
})

describe('writeMarkdown', () => {
  it('writeMarkdown writes italics as Markdown, and escapes Markdown and HTML in questions and in the text of a model', () => {
    const text = writeMarkdown([
      { kind: 'question', runs: [{ text: 'Why *this*?' }] },
      { kind: 'paragraph', runs: [{ text: '# ![x](https://a.example) <b>' }] },
      { kind: 'source', runs: textRuns('Berg, A. <i>Sleep, </i>4.') },
    ])
    expect(text).toBe(
      ['## Why \\*this\\*?', '\\# \\!\\[x\\](https://a.example) \\<b\\>', '- Berg, A. *Sleep,* 4.', '']
        .join('\n\n')
        .replace(/\n$/, ''),
    )
  })
})
