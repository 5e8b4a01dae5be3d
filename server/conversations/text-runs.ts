/** A piece of text with one format. */
export interface TextRun {
  text: string
  italic?: boolean
  bold?: boolean
  /** Superscript ('super') or subscript ('sub'). */
  position?: 'super' | 'sub'
}

const FORMS: Record<string, Omit<TextRun, 'text'>> = {
  i: { italic: true },
  em: { italic: true },
  b: { bold: true },
  sup: { position: 'super' },
  sub: { position: 'sub' },
}
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0' }

/**
 * Splits a citation in HTML (server/citations/safe-html.ts) into pieces of text with italics, bold, superscript or subscript.
 * Inserts a space between the texts of two blocks, such as the left margin and the text beside it.
 */
export function textRuns(html: string): TextRun[] {
  const runs: TextRun[] = []
  let open: string[] = []
  let isNewBlock = false
  for (const [piece, slash, name] of html.matchAll(/<(\/?)(\w+)[^>]*>|[^<]+/g)) {
    if (name === undefined) {
      const text = decode(piece)
      const space = isNewBlock && /\S$/.test(runs.at(-1)?.text ?? '') && /^\S/.test(text) ? ' ' : ''
      if (text) runs.push(withForms(space + text, open))
      isNewBlock = false
    } else if (name === 'div') isNewBlock = true
    else if (!(name in FORMS)) continue
    else if (slash) open = open.toSpliced(open.lastIndexOf(name), 1)
    else open = [...open, name]
  }
  return runs
}

function withForms(text: string, names: readonly string[]): TextRun {
  const run: TextRun = { text }
  for (const name of names) Object.assign(run, FORMS[name])
  return run
}

const decode = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? whole
      const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    },
  )
