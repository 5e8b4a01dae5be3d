import type { ReactNode } from 'react'

const TAGS = ['div', 'span', 'i', 'em', 'b', 'sup', 'sub', 'a'] as const
type Tag = (typeof TAGS)[number]
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const TOKEN = /<(\/?)([a-z]+)([^>]*)>|([^<]+)/g

const decode = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!)
const attribute = (source: string, name: string) => decode(new RegExp(`${name}="([^"]*)"`).exec(source)?.[1] ?? '')

/**
 * Converts the HTML of a citation to React elements, because inserting HTML into the page is not allowed. Keeps only links and
 * tags that format text (TAGS). All other tags are omitted with their content.
 */
export function readMarkup(html: string): ReactNode[] {
  const open: { tag: string; source: string; children: ReactNode[] }[] = [{ tag: '', source: '', children: [] }]
  let key = 0
  const close = () => {
    const { tag, source, children } = open.pop()!
    open.at(-1)!.children.push(elementOf(tag, source, children, (key += 1)))
  }
  for (const [, slash, tag, source = '', text] of html.matchAll(TOKEN)) {
    if (text !== undefined) open.at(-1)!.children.push(decode(text))
    else if (!slash) open.push({ tag: tag!, source, children: [] })
    else if (open.length > 1) close()
  }
  while (open.length > 1) close()
  return open[0]!.children
}

function elementOf(tag: string, source: string, children: ReactNode[], key: number): ReactNode {
  if (!(TAGS as readonly string[]).includes(tag)) return null
  if (tag === 'a') {
    const href = attribute(source, 'href')
    return /^https?:\/\//.test(href) ? (
      <a key={key} href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    ) : (
      <span key={key}>{children}</span>
    )
  }
  const isSmall = tag === 'span' && /font-variant: ?small-caps/.test(source)
  const isUnderlined = tag === 'span' && /text-decoration: ?underline/.test(source)
  const style = isSmall ? { fontVariant: 'small-caps' } : isUnderlined ? { textDecoration: 'underline' } : undefined
  const isMargin = source.includes('csl-left-margin')
  // A `div` becomes a `span`, because a citation is shown inside a paragraph.
  const Part: Tag = tag === 'div' ? 'span' : (tag as Tag)
  return (
    <Part key={key} style={style}>
      {children}
      {isMargin ? ' ' : null}
    </Part>
  )
}
