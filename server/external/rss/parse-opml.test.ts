import { describe, expect, it } from 'vitest'
import { readOpml } from './parse-opml.ts'

const opml = (inside: string) => `<?xml version="1.0"?><opml version="1.0"><body>${inside}</body></opml>`

describe('readOpml', () => {
  it('readOpml returns each feed once, from all folders', () => {
    const file = opml(`<outline text="Folder"><outline text="A &amp; B" type="rss" xmlUrl=" https://a.example.org/f "/>
      <outline title="Again" xmlUrl="https://a.example.org/f"/></outline><outline text="No feed"/>
      <outline xmlUrl="https://nameless.example.org/f"/>`)
    expect(readOpml(file)).toEqual([
      { address: 'https://a.example.org/f', name: 'A & B' },
      { address: 'https://nameless.example.org/f', name: 'nameless.example.org' },
    ])
  })

  it.each([
    ['feed://a.example.org/f', 'http://a.example.org/f'],
    ['feed:https://a.example.org/f', 'https://a.example.org/f'],
  ])('readOpml reads %s as a web address', (written, address) => {
    expect(readOpml(opml(`<outline text="A" xmlUrl="${written}"/>`))).toEqual([{ address, name: 'A' }])
  })

  it('readOpml refuses a file that declares entities', () => {
    expect(() => readOpml(`<!DOCTYPE o [<!ENTITY a "aaaa">]>${opml('<outline text="&a;"/>')}`)).toThrow()
  })
})
